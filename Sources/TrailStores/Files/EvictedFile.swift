/// The file that stands for one which the system moved to its cloud: `.NAME.icloud` in place of `NAME`.
package enum EvictedFile {
    private static let suffix = ".icloud"

    /// The name of the file that is only in the cloud; `nil` if a file stands for none.
    package static func owner(_ name: String) -> String? {
        guard name.hasPrefix("."), name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count + 1 else {
            return nil
        }
        return String(name.dropFirst().dropLast(suffix.count))
    }

    /// The name of the file that stands for one which is only in the cloud.
    package static func placeholder(of name: String) -> String { "." + name + suffix }
}
