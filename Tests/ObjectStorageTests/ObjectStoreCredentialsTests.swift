import Testing

@testable import ObjectStorage

@Suite("Credentials of an object store")
struct ObjectStoreCredentialsTests {
    private static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "s3cr3t/+=", "AWS_SESSION_TOKEN": "t0k3n", "HOME": "/",
    ]

    @Test func `Permanent and temporary credentials are read from the environment`() throws {
        let temporary = try ObjectStoreCredentials(environment: Self.environment)
        let permanent = try ObjectStoreCredentials(environment: Self.environment.merging(["AWS_SESSION_TOKEN": ""]) { $1 })

        #expect(temporary.accessKeyID == "AKIAEXAMPLE" && temporary.secretAccessKey == "s3cr3t/+=" && temporary.sessionToken == "t0k3n")
        #expect(permanent.sessionToken == nil)
    }

    @Test(arguments: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
    func `A missing variable is named`(_ variable: String) {
        for value in [nil, ""] {
            var environment = Self.environment
            environment[variable] = value

            let error = #expect(throws: ObjectStoreError.missingCredentials(variable: variable)) {
                try ObjectStoreCredentials(environment: environment)
            }

            #expect(error?.description == "there are no credentials for the object store: set \(variable) in the environment")
        }
    }

    @Test(arguments: [
        ("AWS_ACCESS_KEY_ID", "s3cr3t\n"), ("AWS_ACCESS_KEY_ID", "s3cr3t/+"), ("AWS_SECRET_ACCESS_KEY", "s3cr3t "),
        ("AWS_SECRET_ACCESS_KEY", "s3cr3t\r\nX: y"), ("AWS_SESSION_TOKEN", "s3cr3té"),
    ])
    func `A value that no field can contain is refused and not repeated`(variable: String, value: String) {
        let error = #expect(throws: ObjectStoreError.invalidCredentials(variable: variable)) {
            try ObjectStoreCredentials(environment: Self.environment.merging([variable: value]) { $1 })
        }

        #expect(error?.description.contains("s3cr3t") == false)
    }

    @Test func `No description contains credentials`() throws {
        let credentials = try ObjectStoreCredentials(environment: Self.environment)
        var dumped = ""
        dump(credentials, to: &dumped)
        let texts = [
            "\(credentials)", String(reflecting: credentials), "\([credentials])",
            "\(RequestSigner(credentials: credentials, region: "r"))", dumped,
        ]

        for text in texts { #expect(!text.contains("AKIAEXAMPLE") && !text.contains("s3cr3t") && !text.contains("t0k3n")) }
    }
}
