import Core
import Formats
import Foundation
import NIOCore
import PluginKit
import Synchronization

/// Files written by entries for download by a page, such as those of `export`. An entry writes into its own
/// folder, which is deleted when it ends: the file is kept open without a name, so that nothing is left
/// behind, however the server ends.
final class FilePages: Sendable {
    /// A file that stays readable while it is referenced.
    final class Download: Sendable {
        private let descriptor: CInt
        let name: String
        let size: Int

        fileprivate init(descriptor: CInt, name: String, size: Int) {
            (self.descriptor, self.name, self.size) = (descriptor, name, size)
        }

        deinit { close(descriptor) }

        /// The part at an offset; `nil` if it cannot be read.
        func part(from offset: Int) -> ByteBuffer? {
            var part = ByteBuffer()
            part.writeWithUnsafeMutableBytes(minimumWritableBytes: WebSettings.filePart) { bytes in
                max(0, pread(descriptor, bytes.baseAddress, min(bytes.count, size - offset), off_t(offset)))
            }
            return part.readableBytes > 0 ? part : nil
        }
    }

    private struct State: Sendable {
        var next = 1
        /// The kept files, the oldest first.
        var files: [(number: Int, file: Download)] = []
    }

    private let state = Mutex(State())

    /// Runs an entry that writes into its own folder. Returns its outcome, which is a failure if there is no
    /// file to keep, and the file.
    func collect(_ run: (URL) async -> EntryOutcome) async -> (outcome: EntryOutcome, file: JSONTree?) {
        var outcome = EntryOutcome(text: "", errorText: nil, value: .nothing, failure: nil, hasChanged: false)
        do {
            let folder = try FileManager.default.scratchFolder("page")
            defer { try? FileManager.default.removeItem(at: folder) }
            outcome = await run(folder)
            return (outcome, outcome.failure == nil ? try keep(in: folder) : nil)
        } catch {
            let failure = (error as? RutterError) ?? WebErrors.file("the file cannot be read: \(error)")
            outcome.failure = failure
            outcome.errorText = "error \(failure.code): \(failure.message)"
            return (outcome, nil)
        }
    }

    /// Keeps the single file of a folder. Throws `E-WEB-FILE`.
    private func keep(in folder: URL) throws -> JSONTree {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        guard names.count == 1, let name = names.first else {
            throw WebErrors.file(
                names.isEmpty ? "the entry wrote no file" : "the entry wrote \(names.count) files",
                fix: "download a file that one entry writes: export walk.gpx …")
        }
        let descriptor = open(folder.path + "/" + name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw WebErrors.file("\(name) cannot be read") }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw WebErrors.file("\(name) is not a file", fix: "download a single file")
        }
        let file = Download(descriptor: descriptor, name: name, size: Int(facts.st_size))
        guard file.size <= WebSettings.fileBytes else {
            throw WebErrors.file(
                "\(name) has \(file.size) bytes, more than the \(WebSettings.fileBytes) allowed here",
                fix: "run the entry at the prompt, which writes it to the workspace")
        }
        let number = state.withLock { state in
            defer { state.next += 1 }
            state.files.append((state.next, file))
            if state.files.count > WebSettings.keptFiles { state.files.removeFirst() }
            return state.next
        }
        return JSONTree(members: [
            "address": .text("/files/\(number)"), "name": .text(name), "bytes": JSONTree(file.size),
        ])
    }

    func response(to path: Substring) -> WebResponse {
        let number = Int(path.dropFirst("/files/".count))
        guard let file = state.withLock({ $0.files.first { $0.number == number }?.file }) else {
            return .text(404, "the file no longer exists\n")
        }
        // The name encoded by RFC 8187. Sent as an attachment, so that the browser never displays it under
        // the page's origin.
        return WebResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename*=UTF-8''\(file.name.percentEncoded())"),
            ], file: file)
    }
}
