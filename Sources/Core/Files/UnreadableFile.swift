import Foundation

/// Errors of files that cannot be opened or read.
extension CommonErrors {
    /// What to do about too many open files.
    public static let moreFiles = "raise the limit, as by `ulimit -n 1024`, and start again"

    /// The error by the number of its reason (`errno`).
    public static func unreadable(_ name: String, _ reason: Int32) -> RutterError {
        switch reason {
        case ENOENT: fileMissing("no such file: \(name)")
        case EACCES, EPERM: fileAccess("\(name) may not be read")
        case EMFILE, ENFILE:
            tooManyFiles(
                "\(name) cannot be opened: the process has as many open files as it may have", fix: moreFiles)
        default: fileAccess("\(name) cannot be read: \(String(cString: strerror(reason)))")
        }
    }

    /// The error by that of Foundation.
    public static func unreadable(_ name: String, _ error: any Error) -> RutterError {
        let known = error as NSError
        let reason = known.userInfo[NSUnderlyingErrorKey] as? NSError ?? known
        guard reason.domain == NSPOSIXErrorDomain else { return fileAccess("\(name) may not be read") }
        return unreadable(name, Int32(truncatingIfNeeded: reason.code))
    }
}
