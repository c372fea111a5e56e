import Foundation

/// The three standard files of the process.
enum StandardDescriptors {
    /// Opens the null device for each one that is closed, in the direction that is not used, so that reading or writing it still
    /// fails: the next file to be opened would become standard output, and be written into.
    static func fillClosed() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this one, since those below are open.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
