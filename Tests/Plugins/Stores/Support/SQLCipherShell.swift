import Foundation

/// The shell of SQLCipher, which encrypts databases.
enum SQLCipherShell {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlcipher")
}
