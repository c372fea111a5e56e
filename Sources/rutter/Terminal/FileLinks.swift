import Foundation

/// Makes the files that a result says were written links to them (OSC 8), for terminals that open links.
struct FileLinks {
    /// The folder to which names are relative.
    let folder: String

    private static let open = "\u{1B}]8;;"
    private static let end = "\u{1B}\\"
    /// What commands say of a file that they wrote, before its name.
    private static let phrases = ["written to ", "attached to "]

    /// The text with links; `nil` if it names no file that exists.
    func linked(_ text: String) -> String? {
        var isLinked = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let linked = linked(line: line) else { return String(line) }
            isLinked = true
            return linked
        }
        return isLinked ? lines.joined(separator: "\n") : nil
    }

    private func linked(line: Substring) -> String? {
        var result = ""
        var rest = line
        var isLinked = false
        while let range = Self.phrases.compactMap({ rest.range(of: $0) }).min(by: {
            $0.lowerBound < $1.lowerBound
        }) {
            let name = rest[range.upperBound...].prefix { !$0.isNewline && $0 != ";" }
            let url = URL(
                fileURLWithPath: String(name), relativeTo: URL(fileURLWithPath: folder, isDirectory: true))
            result += rest[..<range.upperBound]
            if !name.isEmpty, FileManager.default.fileExists(atPath: url.path) {
                result +=
                    "\(Self.open)\(url.absoluteURL.absoluteString)\(Self.end)\(name)\(Self.open)\(Self.end)"
                isLinked = true
            } else {
                result += name
            }
            rest = rest[name.endIndex...]
        }
        return isLinked ? result + rest : nil
    }
}
