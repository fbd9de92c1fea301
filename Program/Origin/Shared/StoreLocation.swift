package import Foundation
package import OrderStorage

/// The place of the data of an origin.
package enum StoreLocation: Sendable {
    /// The database of a data directory.
    case directory(URL)
    /// The address of a PostgreSQL database.
    case postgreSQL(String, proofContents: (any ProofContentStore)? = nil)
}
