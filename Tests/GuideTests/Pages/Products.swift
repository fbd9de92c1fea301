import Configuration
import Foundation
import Lading
import LadingCaching
import LadingConfiguration
import LadingConformance
import LadingFeeds
import LadingFirebase
import LadingFirebaseTesting
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingOutbox
import LadingRecording
import LadingRecords
import LadingSQLite
import LadingTesting
import LadingTransfers

#if canImport(LadingNIO)
    import LadingNIO
#endif

struct Note: PersistableRow, Codable {
    var id: Int
    var text: String

    var indexedFields: IndexedFields { IndexedFields(text: [text]) }
}

func createQueue() {
    // line of LadingOperations
    _ = queue
}

func createCache() {
    // line of LadingCaching
    _ = pages
}

func createClient() {
    // line of LadingHTTP
    _ = client
}

func createTransfers(_ client: BackendClient, _ queue: BackendQueue, _ journal: any TransferJournal) {
    // line of LadingTransfers
    _ = transfers
}

func createOutbox(_ client: BackendClient, _ queue: BackendQueue, _ journal: any OutboxJournal, _ user: String) async throws {
    // line of LadingOutbox
    _ = outbox
}

func createRecorder(_ executor: any BackendExecutor, _ directory: URL) throws {
    // line of LadingRecording
    _ = recorder
}

func createDatabase(_ project: FirebaseProject, _ client: BackendClient) {
    // line of LadingFirebase
    _ = database
}

func createList(_ store: any RecordStore<Note>, _ source: any PageSource<Note>) {
    // line of LadingRecords
    _ = list
}

func createScreen<Rows: Feed>(_ feed: Rows, _ queue: BackendQueue) {
    // line of LadingFeeds
    _ = screen
}

#if canImport(LadingNIO)
    func createExecutor() {
        // line of LadingNIO
        _ = executor
    }
#endif

func createStore(_ file: URL) throws {
    // line of LadingSQLite
    _ = store
}

func createJournal(_ file: URL) throws {
    // line of LadingJournals
    _ = journal
}

func createEnvironment(_ reader: ConfigReader) async throws {
    // line of LadingConfiguration
    _ = backend
}

func createClock() {
    // line of LadingTesting
    _ = clock
}

func createConformance() {
    // line of LadingConformance
    _ = conformance
}

func createServer() throws {
    // line of LadingFirebaseTesting
    _ = server
}

func createFeed(_ url: URL, _ client: BackendClient) {
    // line of Lading
    _ = notes
}
