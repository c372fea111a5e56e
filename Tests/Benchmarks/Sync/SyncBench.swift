import Foundation
import SyncTrials

/// Measures push, pull and the simulator (`--cloud`: without the simulator). `--hunt` searches many schedules
/// for lost data (`--long`: twice as many; `--disks`: only those on real stores), `--crashes` kills processes
/// and servers, `--servers` measures PostgreSQL and S3 over a slow network and with frozen peers, `--photos`
/// the memory of many photos. Exits non-zero if anything is lost.
struct SyncBench {
    private static let options = [
        "--cloud", "--hunt", "--disks", "--long", "--crashes", "--servers", "--photos",
    ]
    private static let usage =
        "usage: sync-bench [--cloud] [--hunt [--long]] [--disks [--long]] [--crashes] [--servers] [--photos]"
    let arguments: [String]

    init(_ arguments: [String]) { self.arguments = arguments }

    /// The program built beside this one.
    static func program() throws -> URL {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("rutter")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw PostgresServer.Failure(
                description: "missing \(program.path); build it with swift build -c release --product rutter")
        }
        return program
    }

    func run() -> Int32 {
        guard
            arguments.allSatisfy(Self.options.contains)
        else {
            print(Self.usage)
            return 2
        }
        do {
            var isRight = true
            let isLong = arguments.contains("--long")
            if arguments.contains("--hunt") { isRight = try Hunt(isLong: isLong).run() && isRight }
            if arguments.contains("--disks") {
                isRight = try DiskHunt(isLong: isLong).run().isRight && isRight
            }
            if arguments.contains("--crashes") { isRight = try Crashes().run() && isRight }
            if arguments.contains("--servers") { isRight = try servers() && isRight }
            if arguments.contains("--photos") { isRight = try Photos().run() && isRight }
            if arguments.isEmpty || arguments.contains("--cloud") {
                isRight = try Speed().run(simulates: arguments.isEmpty) && isRight
            }
            return isRight ? 0 : 1
        } catch {
            print("failed: \(error)")
            return 1
        }
    }

    private func servers() throws -> Bool {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var isRight = true
        if PostgresServer.isInstalled {
            isRight = try ServerTrial(folder: folder).run()
        } else {
            print("skipped: PostgreSQL; no server is installed")
        }
        guard S3Server.isInstalled else {
            print("skipped: S3; SeaweedFS is not installed (.ci/servers)")
            return isRight
        }
        let objects = folder.appendingPathComponent("objects")
        return try ObjectTrial(folder: objects).run() && isRight
    }
}

/// Prints a line without buffering, also into a pipe: a search takes minutes.
func print(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
