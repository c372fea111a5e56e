import Core
import Formats
import Foundation
import PluginKit
import Synchronization

/// Files that a page hands over to be imported. They arrive in parts, of which each fits into a request, and stay in a folder of their
/// own until the entry that reads them has ended.
final class UploadPages: Sendable {
    private struct Batch: Sendable {
        let folder: URL
        /// The bytes of each file so far, by name.
        var sizes: [String: Int] = [:]
    }

    private struct State: Sendable {
        var next = 1
        var batches: [Int: Batch] = [:]

        var bytes: Int { batches.values.reduce(0) { $0 + $1.sizes.values.reduce(0, +) } }
    }

    /// A part of a file as a page sends it.
    struct Part: Sendable {
        /// The batch; `nil` begins one.
        let batch: Int?
        let name: String
        /// The offset of the bytes in the file.
        let offset: Int
        let bytes: [UInt8]

        /// The part of a request; `nil` if it names no file.
        init?(_ request: WebRequest) {
            guard let name = request.query("name").flatMap({ String($0).removingPercentEncoding }),
                let offset = request.query("at").flatMap({ Int($0) }), offset >= 0
            else { return nil }
            batch = request.query("batch").flatMap { Int($0) }
            self.name = Self.safe(name)
            self.offset = offset
            bytes = request.body
        }

        /// The last part of a path, as a name that stays in its folder.
        private static func safe(_ path: String) -> String {
            let last = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
            let name = String(last.filter { !$0.isNewline && $0 != "\0" }.suffix(WebSettings.uploadName))
            return name.allSatisfy { $0 == "." } ? "file" : name
        }
    }

    private let state = Mutex(State())

    deinit { discardAll() }

    /// Stores a part. Throws `E-WEB-UPLOAD`.
    func add(_ part: Part) throws -> JSONTree {
        let (number, folder) = try folder(of: part)
        let file = folder.appendingPathComponent(part.name)
        if part.offset == 0 {
            guard FileManager.default.createFile(atPath: file.path, contents: Data(part.bytes)) else {
                throw WebErrors.upload("\(part.name) cannot be stored", fix: "free space in \(folder.path)")
            }
        } else {
            do {
                let handle = try FileHandle(forWritingTo: file)
                defer { try? handle.close() }
                try handle.seek(toOffset: UInt64(part.offset))
                try handle.write(contentsOf: Data(part.bytes))
            } catch {
                throw WebErrors.upload(
                    "\(part.name) cannot be stored: \(error.localizedDescription)",
                    fix: "free space in \(folder.path), or import the file at the prompt")
            }
        }
        return JSONTree(members: [
            "batch": JSONTree(number), "path": .text(file.path), "folder": .text(folder.path),
        ])
    }

    /// The folder of a part's batch, whose file has grown by the part.
    private func folder(of part: Part) throws -> (Int, URL) {
        let fresh =
            part.batch == nil ? try FileManager.default.scratchFolder("upload") : URL(fileURLWithPath: "/")
        let found = state.withLock { state -> (Int, URL)? in
            guard state.bytes + part.bytes.count <= WebSettings.uploadBytes else { return nil }
            let number = part.batch ?? state.next
            if part.batch == nil {
                state.batches[number] = Batch(folder: fresh)
                state.next += 1
            }
            // Parts arrive in order.
            guard let size = state.batches[number].map({ $0.sizes[part.name] ?? 0 }),
                part.offset == 0 || part.offset == size
            else { return nil }
            state.batches[number]?.sizes[part.name] = part.offset + part.bytes.count
            return state.batches[number].map { (number, $0.folder) }
        }
        guard let found else {
            if part.batch == nil { FileManager.default.discard(fresh) }
            throw WebErrors.upload(
                "\(part.name) was not taken: it is too large, or a part of it is missing",
                fix: "import it at the prompt: import FILE")
        }
        return found
    }

    /// Removes the files of a batch.
    func discard(_ batch: Int) {
        guard let folder = state.withLock({ $0.batches.removeValue(forKey: batch)?.folder }) else { return }
        FileManager.default.discard(folder)
    }

    /// Removes all files.
    func discardAll() {
        for batch in state.withLock({ $0.batches.keys.sorted() }) { discard(batch) }
    }
}
