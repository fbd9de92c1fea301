package import OrderStorage

/// A failure after an import was accepted: some of its orders exist, and the others are created later.
package struct UnfinishedImport: Error {
    package let progress: ImportProgress
    package let cause: any Error
}
