import Foundation

/// Measures push and pull and the simulator, with `--cloud` without the simulator; with `--hunt` hunts for lost data in many schedules, with `--crashes` kills
/// processes and servers. Ends with a failure when anything is lost, whatever it was asked for.
struct SyncBench {
    private static let usage = "usage: sync-bench [--cloud] [--hunt] [--crashes]"
    let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    func run() -> Int32 {
        guard arguments.allSatisfy({ ["--cloud", "--hunt", "--crashes"].contains($0) }) else {
            print(Self.usage)
            return 2
        }
        do {
            var isRight = true
            if arguments.contains("--hunt") { isRight = try Hunt().run() && isRight }
            if arguments.contains("--crashes") { isRight = try Crashes().run() && isRight }
            if arguments.isEmpty || arguments.contains("--cloud") {
                isRight = try Speed().run(simulates: arguments.isEmpty) && isRight
            }
            return isRight ? 0 : 1
        } catch {
            print("failed: \(error)")
            return 1
        }
    }
}

/// Prints a line at once, also into a pipe: a hunt takes minutes.
func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
