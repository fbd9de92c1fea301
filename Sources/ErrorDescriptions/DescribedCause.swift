/// An error of another library, with its text as the cause of an error of this one.
///
/// `Error.plainDescription` uses the text where an error's own description contains names of types.
package protocol DescribedCause: Error {
    /// The text, without a period; nil when the error adds nothing to its wrapper.
    var causeDescription: String? { get }
}
