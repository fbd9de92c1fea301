import Foundation

/// Joins a script and all that it imports into one file, so that a page needs one request for its scripts instead of one for each module.
///
/// Lines of comments are left out. Each module becomes a function of its own that returns its exports: names stay apart, and modules run once and in the order of their imports.
/// It understands the forms of `import` and `export` that the scripts use, each at the beginning of a line, and refuses all others:
///
/// ```js
/// import { openRows, parts } from "./rows.js";
/// import "./transition.js";
/// export function openList(list) { … }
/// export const status = showStatus();
/// ```
struct ScriptBundle {
    enum Problem: Error, Equatable {
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
        var known: Set<String> = []
        let exports = try append(name, to: &parts, known: &known)
        if !exports.isEmpty { parts.append("export const { \(exports.joined(separator: ", ")) } = \(Module.variable(name));\n") }
        return parts.joined(separator: "\n")
    }

    /// Appends the imports of a module first, then itself, and returns the names of its exports.
    @discardableResult
    private func append(_ name: String, to parts: inout [String], known: inout Set<String>) throws -> [String] {
        guard known.insert(name).inserted else { return [] }
        guard let source = modules[name] else { throw Problem.unknownModule(name) }
        let module = try Module(source, named: name)
        for imported in module.imports { try append(imported, to: &parts, known: &known) }
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
            // Comments are for readers of the sources, and a sixth of what would be sent.
            if line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
            // Most lines are neither, and an expression takes its time for each.
            guard line.hasPrefix("import ") || line.hasPrefix("export ") else {
                lines.append(String(line))
                continue
            }
            if let match = line.wholeMatch(of: /import \{([^}]*)\} from "\.\/([\w-]+\.js)";/) {
                imports.append(String(match.2))
                lines.append("const {\(match.1.replacing(" as ", with: ": "))} = \(Self.variable(String(match.2)));")
            } else if let match = line.wholeMatch(of: /import "\.\/([\w-]+\.js)";/) {
                imports.append(String(match.1))
            } else if let match = line.prefixMatch(of: /export ((?:async )?function|class|const) (\w+)/) {
                exports.append(String(match.2))
                lines.append(String(line.dropFirst("export ".count)))
            } else {
                throw ScriptBundle.Problem.unsupported(line: String(line), in: name)
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
