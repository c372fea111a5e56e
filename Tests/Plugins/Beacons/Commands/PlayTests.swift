import Foundation
import PluginTestKit
import Testing

/// Playing through the system's programs, and a full disk, with the whole program.
struct PlayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ entry: String, path: String) throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            ["--workspace", folder.url.appendingPathComponent("w").path, "--seed", "1", "-c", entry],
            environment: ["PATH": path], folder: folder.url)
    }

    @Test func withoutAnyProgramItSaysSo() throws {
        let outcome = try run("beacon play --place 1,1 --seconds 0.1 --simple", path: folder.url.path)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("E-BEACON-NOSOUND"))
        #expect(
            outcome.errors.contains(
                "none of these programs is installed: pw-play, paplay, aplay, play, ffplay"))
    }

    @Test func aProgramGetsTheSound() throws {
        // A player that stores its input.
        let kept = folder.url.appendingPathComponent("kept.wav").path
        try script("aplay", "shift; /bin/cp \"$1\" \(kept)")
        let outcome = try run(
            "beacon play --place 1,1 --seconds 0.5 --simple | get player", path: folder.url.path)
        #expect(outcome.output == "aplay\n" && outcome.errors == "")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: kept))
        #expect(bytes.count == 44 + 24_000 * 4)
        #expect(bytes.prefix(4) == Data("RIFF".utf8))
        // The same samples as are rendered to a file.
        let rendered = try run(
            "beacon render --place 1,1 --seconds 0.5 --simple --out r.wav", path: folder.url.path)
        #expect(rendered.status == 0)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("r.wav")) == bytes)
    }

    @Test func aProgramWithoutItsServerIsPassedOver() throws {
        try script("pw-play", "echo 'no server' >&2; exit 1")
        let kept = folder.url.appendingPathComponent("kept.wav").path
        try script("aplay", "shift; /bin/cp \"$1\" \(kept)")
        let outcome = try run(
            "beacon play --place 1,1 --seconds 0.1 --simple | get player", path: folder.url.path)
        #expect(outcome.output == "aplay\n" && outcome.errors == "")
        #expect(FileManager.default.fileExists(atPath: kept))
    }

    @Test func aProgramThatFailsIsTold() throws {
        try script("paplay", "echo 'Connection refused' >&2; exit 1")
        let outcome = try run("beacon play --place 1,1 --seconds 0.1 --simple", path: folder.url.path)
        #expect(outcome.errors.contains("paplay could not play (status 1): Connection refused"))
    }

    private func script(_ name: String, _ body: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }

    /// A file system of 64 KiB, if this machine allows mounting one.
    @Test func aFullDiskLeavesNothingBehind() throws {
        let disk = folder.url.appendingPathComponent("disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        let program = RutterProcess.executable.path
        let entry = "beacon render --place 1,1 --seconds 10 --simple --out \(disk.path)/s.wav"
        process.arguments = [
            "-m", "/bin/sh", "-c",
            """
            mount -t tmpfs -o size=64k none \(disk.path) || exit 99
            \(program) --workspace \(folder.url.path)/w -c '\(entry)'; status=$?
            ls -A \(disk.path); exit $status
            """,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 99, !text.contains("unshare failed") else {
            withKnownIssue("no file system can be mounted here") { Issue.record("skipped") }
            return
        }
        #expect(process.terminationStatus == 1)
        #expect(text.contains("E-FILE-ACCESS"), "\(text)")
        #expect(!text.contains(".wav.rutter") && !text.split(separator: "\n").contains("s.wav"))
    }
}
