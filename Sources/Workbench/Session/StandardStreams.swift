import Foundation
import PluginKit
import Synchronization

/// The process's standard input and output as files: `-` where a command reads a file, `-` or `-.svg` where it writes one.
///
/// What is piped in is copied to a file once, so that it can be read again and be of any format. What is written goes to a
/// file first, so that a command that fails writes nothing, and is then passed on as it is.
public final class StandardStreams: Sendable {
    /// The streams of the session that runs the entry; `nil` in notebooks, which have none.
    @TaskLocal static var current: StandardStreams?

    /// The name of what is piped in, which messages show; what is written keeps the name that the user typed.
    private static let inputName = "standard-input"

    private let source: URL?
    private let write: @Sendable (Data) -> Void
    private let state = Mutex<State>(State())

    private struct State {
        var folder: URL?
        var input: URL?
        var outputs: [URL] = []
    }

    /// The streams of a process: what it is given to read, such as `/dev/stdin`, and what writes bytes for it.
    public init(input: URL?, write: @escaping @Sendable (Data) -> Void) {
        source = input
        self.write = write
    }

    deinit {
        state.withLock { state in
            if let folder = state.folder { try? FileManager.default.removeItem(at: folder) }
        }
    }

    /// Whether a path written by the user means the streams.
    static func isOutput(_ path: String) -> Bool { path == "-" || path.hasPrefix("-.") }

    /// What was piped in, as a file. Throws `E-FILE-MISSING` if nothing was.
    func input() throws(RutterError) -> URL {
        guard let source else {
            throw CommonErrors.fileMissing(
                "nothing is piped in for `-`", fix: "… | rutter -c ENTRY, or name a file")
        }
        return try state.withLock { state throws(RutterError) in
            if let known = state.input { return known }
            let copy = try Self.folder(&state).appendingPathComponent(Self.inputName)
            try Self.copy(source, to: copy)
            state.input = copy
            return copy
        }
    }

    /// A file whose bytes are passed on when the command has succeeded.
    func output(_ path: String) throws(RutterError) -> URL {
        try state.withLock { state throws(RutterError) in
            let url = try Self.folder(&state).appendingPathComponent(path)
            if !state.outputs.contains(url) { state.outputs.append(url) }
            return url
        }
    }

    /// Passes on what was written; returns whether anything was. Otherwise drops it.
    func drain(passing: Bool) -> Bool {
        let outputs = state.withLock { state in
            defer { state.outputs = [] }
            return state.outputs
        }
        var hasPassed = false
        for url in outputs {
            if passing, let bytes = FileManager.default.contents(atPath: url.path) {
                write(bytes)
                hasPassed = true
            }
            try? FileManager.default.removeItem(at: url)
        }
        return hasPassed
    }

    private static func folder(_ state: inout State) throws(RutterError) -> URL {
        if let folder = state.folder { return folder }
        let folder = try FileManager.default.scratchFolder("streams")
        state.folder = folder
        return folder
    }

    /// Bytes copied at a time.
    private static let piece = 1 << 18

    private static func copy(_ source: URL, to target: URL) throws(RutterError) {
        do {
            _ = FileManager.default.createFile(atPath: target.path, contents: nil)
            let reader = try FileHandle(forReadingFrom: source)
            let writer = try FileHandle(forWritingTo: target)
            defer {
                try? reader.close()
                try? writer.close()
            }
            while let bytes = try reader.read(upToCount: piece), !bytes.isEmpty {
                try Interruption.check()
                try writer.write(contentsOf: bytes)
            }
        } catch let error as RutterError {
            throw error
        } catch {
            throw CommonErrors.fileAccess("standard input cannot be read: \(error.localizedDescription)")
        }
    }
}
