import Foundation
import Glibc

/// Writes files in one step.
enum AtomicFile {
    /// Puts a new content in a file's place, by way of a file beside it. A link is followed; the mode is
    /// kept.
    static func write(_ bytes: [UInt8], to file: URL) throws(NotebookError) {
        let target = file.resolvingSymlinksInPath()
        var mode = stat()
        let isNew = stat(target.path, &mode) != 0
        guard isNew || mode.st_mode & S_IFMT == S_IFREG else {
            throw NotebookError(.file, "`\(file.relativePath)` cannot be written: it is no regular file")
        }
        let path = target.deletingLastPathComponent().path + "/.\(target.lastPathComponent).XXXXXX"
        var template = Array(path.utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw failure(file) }
        // A file of mkstemp is readable by its owner alone; a new notebook is readable as the umask allows.
        let wanted = isNew ? 0o666 & ~currentMask() : mode.st_mode & 0o7777
        let isWritten =
            DescriptorWriter(descriptor).write(bytes) && fchmod(descriptor, wanted) == 0
            && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(template, target.path) == 0 else {
            let error = failure(file)
            unlink(template)
            throw error
        }
    }

    /// The mask of the process, read where reading does not change it.
    private static func currentMask() -> mode_t {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") }
        return line.flatMap { mode_t($0.dropFirst(6).trimmingCharacters(in: .whitespaces), radix: 8) }
            ?? 0o022
    }

    private static func failure(_ file: URL) -> NotebookError {
        NotebookError(.file, "`\(file.relativePath)` cannot be written: \(String(cString: strerror(errno)))")
    }
}
