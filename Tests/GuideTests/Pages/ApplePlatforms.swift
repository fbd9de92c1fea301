import LadingHTTP
import LadingOperations

// Not compiled: block 2 needs Network and block 3 UIKit, which only Apple's platforms have.

func makeClient() -> BackendClient {
    // block 1
    return client
}

func observe(_ connectivity: some Connectivity, _ lifecycle: some AppLifecycle, with queue: BackendQueue) async {
    // block 4
    _ = await (network, attention)
}
