import Core
import Foundation

extension ArchiveReader {
    /// Unpacks all files into a folder, with their times, and returns their paths in order. Throws at the first entry
    /// with a fault, before anything is written outside the folder. With `skipping`, one that must not or cannot be
    /// unpacked is passed to it with the error, and the others go on; a bomb is refused all the same. Without an entry, the
    /// archive cannot be followed behind the files that were unpacked.
    public func unpack(
        into folder: URL, skipping: ((ArchiveEntry?, RutterError) -> Void)? = nil
    ) throws -> [String] {
        var files: [String] = []
        var isDamaged = false
        while true {
            let found: ArchiveEntry?
            do {
                found = try next()
            } catch let error as RutterError where error.code == ArchiveErrors.format.code {
                // Behind damaged content the next file may not be found.
                if isDamaged { break }
                guard let skipping, !files.isEmpty else { throw error }
                skipping(nil, error)
                break
            }
            guard let entry = found else { break }
            do {
                try entry.require()
                try write(entry, to: folder.appendingPathComponent(entry.path))
                files.append(entry.path)
            } catch let error as RutterError
                where [ArchiveErrors.entry.code, ArchiveErrors.format.code].contains(error.code)
            {
                guard let skipping else { throw error }
                // A file of a name that is there already stays.
                if error.code == ArchiveErrors.format.code {
                    isDamaged = true
                    FileManager.default.discard(folder.appendingPathComponent(entry.path))
                }
                skipping(entry, error)
            }
        }
        return files
    }

    /// Unpacks the files before the end of an archive that is cut off: those that are complete. Returns their paths, and the
    /// path of the file that the cut goes through. Throws as `unpack` if not even one is complete.
    public func unpackComplete(into folder: URL) throws -> (files: [String], cut: String?) {
        var files: [String] = []
        var last: ArchiveEntry?
        do {
            while let entry = try next() {
                last = entry
                try entry.require()
                try write(entry, to: folder.appendingPathComponent(entry.path))
                files.append(entry.path)
                last = nil
            }
        } catch let error as RutterError where error.code == ArchiveErrors.format.code && !files.isEmpty {
            if let last { FileManager.default.discard(folder.appendingPathComponent(last.path)) }
        }
        return (files, last?.path)
    }

    private func write(_ entry: ArchiveEntry, to target: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw Self.refused(entry, (error as NSError).localizedDescription)
        }
        // A new file, never an existing one or one behind a link.
        let descriptor = open(target.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.refused(entry, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.piece, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            if count == 0 { break }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest)
                let written = Foundation.write(descriptor, part.baseAddress, part.count)
                if written < 0, errno != EINTR { throw Self.refused(entry, String(cString: strerror(errno))) }
                rest = rest.dropFirst(max(0, written))
            }
        }
        // The time of the last change instead of the time of unpacking.
        guard let modified = entry.modified else { return }
        let times = [timespec(tv_sec: modified, tv_nsec: 0), timespec(tv_sec: modified, tv_nsec: 0)]
        futimens(descriptor, times)
    }

    private static func refused(_ entry: ArchiveEntry, _ reason: String) -> RutterError {
        CommonErrors.fileAccess("\(entry.name) cannot be unpacked: \(reason)")
    }
}
