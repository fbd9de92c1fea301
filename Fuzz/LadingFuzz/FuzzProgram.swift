import CLibFuzzer
import Foundation

/// A program that runs a parser of untrusted bytes under libFuzzer, with the arguments of libFuzzer. `LADING_FUZZ_TARGET` names the parser; without a
/// name the targets are printed.
@main struct FuzzProgram {
    static func main() {
        guard FuzzTarget.selected != nil else {
            for target in FuzzTarget.allCases { print(target.rawValue) }
            return
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            FuzzTarget.selected?.parse(FuzzInput(Array(UnsafeBufferPointer(start: data, count: size))))
            return 0
        }
        exit(status)
    }
}
