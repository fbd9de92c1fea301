import Foundation

/// A bundler of a script and its imports into one file, so that a page needs one request instead of one per module.
///
/// Comment lines and indentation are removed, so string literals must not span lines. Each module becomes a function that returns its
/// exports: names do not collide, and modules run once, in import order. The bundler supports the following forms of `import` and `export`
/// at the beginning of a line and refuses all others:
///
/// ```js
/// import { createRowRenderer, focusableParts } from "./rows.js";
/// import "./transition.js";
/// export function createListController(list) { … }
/// export const status = createStatusLine();
/// ```
struct ScriptBundle {
    enum BundlingError: Error, Equatable {
        case unknownModule(String)
        case unsupported(line: String, in: String)
    }

    /// The modules by name, each parsed once for all bundles.
    private let modules: [String: Result<Module, BundlingError>]

    /// - Parameter modules: The sources of the modules by name.
    init(modules: [String: String]) {
        self.modules = Dictionary(
            uniqueKeysWithValues: modules.map { name, source in
                (name, Result { () throws(BundlingError) in try Module(source, named: name) })
            })
    }

    /// Returns the bundle of a module and its imports, with the exports of the module.
    ///
    /// - Throws: `BundlingError`
    func script(_ name: String) throws(BundlingError) -> String {
        var parts: [String] = []
        var visited: Set<String> = []
        let exports = try append(name, to: &parts, visited: &visited)
        if !exports.isEmpty { parts.append("export const { \(exports.joined(separator: ", ")) } = \(Module.variable(name));\n") }
        return parts.joined(separator: "\n")
    }

    /// Appends the imports of a module, then the module, and returns the names of its exports.
    @discardableResult
    private func append(_ name: String, to parts: inout [String], visited: inout Set<String>) throws(BundlingError) -> [String] {
        guard visited.insert(name).inserted else { return [] }
        guard let module = try modules[name]?.get() else { throw .unknownModule(name) }
        for imported in module.dependencies { try append(imported, to: &parts, visited: &visited) }
        parts.append(module.text)
        return module.exports
    }
}

/// A module as a function that returns its exports.
private struct Module {
    /// The names of the imported modules.
    let dependencies: [String]
    /// The names of the exports.
    let exports: [String]
    let text: String

    init(_ source: String, named name: String) throws(ScriptBundle.BundlingError) {
        var (imports, exports, lines) = ([String](), [String](), [String]())
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let isTextWhole = line.utf8.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2)
            guard isTextWhole, let kind = Line(line) else { throw .unsupported(line: String(line), in: name) }
            switch kind {
            case .comment: break
            case .dependency(let module, let names):
                imports.append(module)
                if let names { lines.append("const {\(names)} = \(Self.variable(module));") }
            case .exported(let export, let declaration):
                exports.append(export)
                lines.append(declaration)
            case .other: lines.append(String(line.drop { $0 == " " }))
            }
        }
        (self.dependencies, self.exports) = (imports, exports)
        text = """
            const \(Self.variable(name)) = (() => {
            \(lines.joined(separator: "\n"))
            return { \(exports.joined(separator: ", ")) };
            })();

            """
    }

    /// Returns the name of the bundle's variable for the exports of a module.
    fileprivate static func variable(_ name: String) -> String {
        "$" + name.dropLast(".js".count).replacing("-", with: "_")
    }
}

extension Module {
    /// A line of a module, classified for bundling.
    fileprivate enum Line {
        case comment
        /// An import of another module.
        ///
        /// - Parameter names: The imported names as a destructuring pattern; nil for an import for its side effects.
        case dependency(module: String, names: String?)
        case exported(name: String, declaration: String)
        case other

        /// - Returns: nil for an unsupported form of import or export.
        init?(_ line: Substring) {
            if line.drop(while: { $0 == " " }).hasPrefix("//") {
                // Comments are a sixth of the transferred size.
                self = .comment
            } else if !line.hasPrefix("import "), !line.hasPrefix("export ") {
                // Most lines are neither, and regular expressions are slow.
                self = .other
            } else if let match = line.wholeMatch(of: /import \{([^}]*)\} from "\.\/([\w-]+\.js)";/) {
                self = .dependency(module: String(match.2), names: "\(match.1.replacing(" as ", with: ": "))")
            } else if let match = line.wholeMatch(of: /import "\.\/([\w-]+\.js)";/) {
                self = .dependency(module: String(match.1), names: nil)
            } else if let match = line.prefixMatch(of: /export ((?:async )?function|class|const) (\w+)/) {
                self = .exported(name: String(match.2), declaration: String(line.dropFirst("export ".count)))
            } else {
                return nil
            }
        }
    }
}
