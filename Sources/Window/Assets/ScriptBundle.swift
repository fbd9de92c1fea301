import Foundation

/// Joins a script and all that it imports into one file, so that a page needs one request for its scripts instead of one for each module.
///
/// Lines of comments and indentation are left out, so no text of a script may span lines. Each module becomes a function of its own that returns its exports: names stay apart, and modules run once and in the order of their imports.
/// It understands the forms of `import` and `export` that the scripts use, each at the beginning of a line, and refuses all others:
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

    /// The modules by their names.
    let modules: [String: String]

    /// Returns the file that stands for a module and its imports; it exports what the module exports.
    ///
    /// - Throws: `Problem`
    func script(_ name: String) throws -> String {
        var parts: [String] = []
        var visited: Set<String> = []
        let exports = try append(name, to: &parts, visited: &visited)
        if !exports.isEmpty { parts.append("export const { \(exports.joined(separator: ", ")) } = \(Module.variable(name));\n") }
        return parts.joined(separator: "\n")
    }

    /// Appends the imports of a module first, then itself, and returns the names of its exports.
    @discardableResult
    private func append(_ name: String, to parts: inout [String], visited: inout Set<String>) throws -> [String] {
        guard visited.insert(name).inserted else { return [] }
        guard let source = modules[name] else { throw BundlingError.unknownModule(name) }
        let module = try Module(source, named: name)
        for imported in module.imports { try append(imported, to: &parts, visited: &visited) }
        parts.append(module.text)
        return module.exports
    }
}

/// One module as a function that returns its exports.
private struct Module {
    /// The names of the modules that it imports.
    let imports: [String]
    /// The names of its exports.
    let exports: [String]
    let text: String

    init(_ source: String, named name: String) throws {
        var (imports, exports, lines) = ([String](), [String](), [String]())
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let isTextWhole = line.utf8.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2)
            guard isTextWhole, let kind = Line(line) else { throw ScriptBundle.BundlingError.unsupported(line: String(line), in: name) }
            switch kind {
            case .comment: break
            case .imported(let module, let names):
                imports.append(module)
                if let names { lines.append("const {\(names)} = \(Self.variable(module));") }
            case .exported(let export, let declaration):
                exports.append(export)
                lines.append(declaration)
            case .other: lines.append(String(line.drop { $0 == " " }))
            }
        }
        (self.imports, self.exports) = (imports, exports)
        text = """
            const \(Self.variable(name)) = (() => {
            \(lines.joined(separator: "\n"))
            return { \(exports.joined(separator: ", ")) };
            })();

            """
    }

    /// Returns the variable of the file that holds the exports of a module.
    fileprivate static func variable(_ name: String) -> String {
        "$" + name.dropLast(".js".count).replacing("-", with: "_")
    }
}

extension Module {
    /// A line of a module, by its part in a bundle.
    fileprivate enum Line {
        case comment
        /// - Parameter names: Those between the braces, as the pattern of a declaration; nil where a module is imported for what it does.
        case imported(module: String, names: String?)
        case exported(name: String, declaration: String)
        case other

        /// - Returns: nil for an unsupported form of import or export.
        init?(_ line: Substring) {
            if line.drop(while: { $0 == " " }).hasPrefix("//") {
                // Comments are for readers of the sources, and a sixth of what would be sent.
                self = .comment
            } else if !line.hasPrefix("import "), !line.hasPrefix("export ") {
                // Most lines are neither, and an expression takes its time for each.
                self = .other
            } else if let match = line.wholeMatch(of: /import \{([^}]*)\} from "\.\/([\w-]+\.js)";/) {
                self = .imported(module: String(match.2), names: "\(match.1.replacing(" as ", with: ": "))")
            } else if let match = line.wholeMatch(of: /import "\.\/([\w-]+\.js)";/) {
                self = .imported(module: String(match.1), names: nil)
            } else if let match = line.prefixMatch(of: /export ((?:async )?function|class|const) (\w+)/) {
                self = .exported(name: String(match.2), declaration: String(line.dropFirst("export ".count)))
            } else {
                return nil
            }
        }
    }
}
