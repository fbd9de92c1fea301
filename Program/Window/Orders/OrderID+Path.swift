import Foundation
import Orders

extension OrderID {
    /// The id as a path component.
    var pathComponent: String { description.percentEncodedComponent }

    init(pathComponent: String) {
        self.init(pathComponent.removingPercentEncoding ?? pathComponent)
    }
}
