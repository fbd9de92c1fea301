#if Configuration
    public import Configuration
    import ErrorDescriptions
    import HTTPTypes
    public import LadingHTTP

    extension BackendEnvironment {
        /// Creates an environment from environment variables, files or other providers of the reader.
        ///
        /// ```swift
        /// let config = ConfigReader(provider: EnvironmentVariablesProvider())
        /// let backend = try await BackendEnvironment("orders", from: config)  // ORDERS_BASE_URL, ORDERS_TIME_LIMIT, …
        /// ```
        ///
        /// | key | type | default |
        /// |---|---|---|
        /// | `baseURL` | string | none, required |
        /// | `headers` | list of strings, each `Name: value`; secret, not logged | no fields |
        /// | `timeLimit` | seconds, may be a fraction | that of `ResponseLimits` |
        /// | `bodyLimit` | bytes | that of `ResponseLimits` |
        /// | `redirectLimit` | number | that of `ResponseLimits` |
        ///
        /// - Parameter name: The prefix of each key, separated by a dot.
        /// - Throws: `BackendConfigurationError` with the key.
        public nonisolated(nonsending) init(_ name: ConfigKey, from config: ConfigReader) async throws {
            let values = ScopedValues(name: name, config: config)
            var limits = ResponseLimits()
            if let seconds = try await values.double("timeLimit", within: 0.001...86_400) { limits.time = .seconds(seconds) }
            if let bytes = try await values.int("bodyLimit", within: 0...Int.max) { limits.bodySize = bytes }
            if let count = try await values.int("redirectLimit", within: 0...100) { limits.redirects = count }
            let headers = try await values.headers("headers")
            let baseURL = try await values.string("baseURL")
            do {
                try self.init(baseURL: baseURL, headers: headers, limits: limits)
            } catch {
                throw values.error("baseURL", "\(error)")
            }
        }
    }

    /// The values below a key prefix, with errors that contain the full key.
    private struct ScopedValues {
        let name: ConfigKey
        let config: ConfigReader

        private var scope: ConfigReader { config.scoped(to: name) }

        func string(_ key: String) async throws -> String {
            guard let text = try await read(key, "text", { try await scope.fetchString(forKey: $0) }) else {
                throw error(key, "a value is required")
            }
            return text
        }

        func int(_ key: String, within range: ClosedRange<Int>) async throws -> Int? {
            try check(key, try await read(key, "a whole number") { try await scope.fetchInt(forKey: $0) }, within: range)
        }

        func double(_ key: String, within range: ClosedRange<Double>) async throws -> Double? {
            try check(key, try await read(key, "a number") { try await scope.fetchDouble(forKey: $0) }, within: range)
        }

        func headers(_ key: String) async throws -> HTTPFields {
            let lines = try await read(key, "a list of texts") { try await scope.fetchStringArray(forKey: $0, isSecret: true) } ?? []
            var fields = HTTPFields()
            for (index, line) in lines.enumerated() {
                guard let field = HTTPField(line: line) else {
                    // The value may be a secret and is not included.
                    throw error(key, "element \(index + 1) is not a header field, such as “Accept: text/plain”")
                }
                fields.append(field)
            }
            return fields
        }

        func error(_ key: String, _ problem: String) -> BackendConfigurationError {
            BackendConfigurationError(key: (name.components + [key]).joined(separator: "."), problem: problem)
        }

        /// Returns a value; nil when there is none.
        ///
        /// - Parameter kind: The kind of value that is expected, for the error.
        private func read<Value>(_ key: String, _ kind: String, _ fetch: (ConfigKey) async throws -> Value?) async throws -> Value? {
            do {
                return try await fetch(ConfigKey([key]))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                guard let text = error.plainDescription else { throw self.error(key, "the value cannot be read") }
                // The error of swift-configuration for a value of another type is internal; its text repeats the key and names the type.
                throw self.error(key, text.hasPrefix("Config value for key") ? "the value is not \(kind)" : text)
            }
        }

        private func check<Value: Comparable>(_ key: String, _ value: Value?, within range: ClosedRange<Value>) throws -> Value? {
            guard let value else { return nil }
            // NaN is not equal to itself.
            guard value == value else { throw error(key, "the value is not a number") }
            guard value >= range.lowerBound else { throw error(key, "\(text(of: value)) is less than \(text(of: range.lowerBound))") }
            guard value <= range.upperBound else { throw error(key, "\(text(of: value)) is more than \(text(of: range.upperBound))") }
            return value
        }

        /// Returns a number without a fraction of zero.
        private func text(of number: some Comparable) -> String {
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
    }

    extension HTTPField {
        /// Parses a field of the form `Name: value`; nil when it is malformed.
        fileprivate init?(line: String) {
            guard let colon = line.firstIndex(of: ":"), let name = Name(String(line[..<colon])) else { return nil }
            let value = String(line[line.index(after: colon)...].drop { $0 == " " })
            guard Self.isValidValue(value) else { return nil }
            self.init(name: name, value: value)
        }
    }
#endif
