import struct Foundation.Date
import OrderAPI
import OrderLifecycle
import OrderStorage

extension OriginStores {
    /// Whether orders are stored that have no people yet.
    func needsFirstDispatcher() async throws(OriginError) -> Bool {
        guard isShared || local.database.file != nil && !local.database.isDiskFull else { return false }
        do { return try await orders.people().isEmpty } catch { throw originError(error) }
    }

    /// Adds a dispatcher, and returns the secret of a one-time link; nil if another origin has added one meanwhile.
    func addFirstDispatcher(now: Date) async throws(OriginError) -> String? {
        do {
            let registry = PersonRegistry(orders) { Timestamp(now) }
            let person = try await registry.add("Dispatcher", role: .dispatcher)
            return try await registry.makeLink(for: person.id).secret
        } catch OrderStoreError.nameTaken {
            return nil
        } catch {
            throw originError(error)
        }
    }

    private func originError(_ error: any Error) -> OriginError { OriginDatabase.originError(error, file: local.database.file) }
}
