import Foundation
import Orders

extension OrderID {
    /// The id as one component of a path.
    var pathComponent: String { description.percentEncodedComponent }

    init(pathComponent: String) {
        self.init(pathComponent.removingPercentEncoding ?? pathComponent)
    }
}
