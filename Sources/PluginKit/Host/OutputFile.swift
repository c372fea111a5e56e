import Foundation

/// Writes files whole: a reader sees the old file or the new one, and a failure leaves nothing behind.
public enum OutputFile {
    /// Writes bytes to a new file, or over an existing one when forced. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS`, the
    /// latter for folders and devices as well: a file put in the place of `/dev/null` would harm the whole system.
    public static func write(
        _ data: Data, to url: URL, force: Bool, parameter: String = "out"
    ) throws(RutterError) {
        let name = url.lastPathComponent
        if !force, FileManager.default.fileExists(atPath: url.path) {
            throw CommonErrors.fileExists(
                "\(name) exists already", at: .parameter(parameter),
                fix: "choose another name, or say --force")
        }
        try checkPlace(url, parameter: parameter)
        let temporary = url.path + ".rutter-\(getpid())"
        guard FileManager.default.createFile(atPath: temporary, contents: nil) else {
            throw refused(name, errno, parameter)
        }
        do {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            try handle.write(contentsOf: data)
            try handle.synchronize()
            try handle.close()
        } catch {
            unlink(temporary)
            throw CommonErrors.fileAccess(
                "\(name) cannot be written: \((error as NSError).localizedDescription)",
                at: .parameter(parameter))
        }
        guard rename(temporary, url.path) == 0 else {
            let reason = errno
            unlink(temporary)
            throw refused(name, reason, parameter)
        }
    }

    /// Throws `E-FILE-ACCESS` where something other than a regular file has the name: whoever writes a file beside it and
    /// renames that would put it in the place of a device.
    public static func checkPlace(_ url: URL, parameter: String = "out") throws(RutterError) {
        var info = stat()
        guard stat(url.path, &info) != 0 || info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent) is no regular file", at: .parameter(parameter))
        }
    }

    private static func refused(_ name: String, _ reason: Int32, _ parameter: String) -> RutterError {
        CommonErrors.fileAccess(
            "\(name) cannot be written: \(String(cString: strerror(reason)))", at: .parameter(parameter))
    }
}
