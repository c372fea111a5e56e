import Foundation
import Notebooks

/// Serves notebooks with fake sessions, or behaves as its argument says.
@main
enum FakeNotebookWorker {
    static func main() async {
        switch CommandLine.arguments.dropFirst().first {
        case "garbage":
            print("Segmentation fault? No: \u{1}\u{2} {\"this\": is no protocol\nand goes on")
            fflush(nil)
            sleep(1000)
        case "exit": exit(3)
        case "endless":
            let zeros = Array(repeating: UInt8(ascii: "0"), count: 65_536)
            while write(STDOUT_FILENO, zeros, zeros.count) > 0 {}
        case "silent": sleep(1000)
        case "other-version":
            print(#"{"hello":{"version":99}}"#)
            fflush(nil)
            sleep(1000)
        default: await NotebookWorker.serve(factory: FakeFactory())
        }
    }
}
