extension String {
    /// Returns the problem with its cause: `cannot read a.json: id is missing`. A cause that begins with the problem replaces it.
    package func appending(cause: any Error) -> String {
        guard let text = cause.plainDescription else { return self }
        return text.hasPrefix(self) ? text : "\(self): \(text)"
    }
}
