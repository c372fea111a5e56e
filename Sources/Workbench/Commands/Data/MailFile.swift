import Foundation

/// A message with an attachment (RFC 5322, MIME), as mail programs open it for sending: a draft without sender and date.
enum MailFile {
    /// The extension of message files.
    static let ending = "eml"
    /// No line of base64 can hold it.
    private static let boundary = "=_rutter_part"
    /// Longest line of base64, in characters.
    private static let line = 76
    private static let types = [
        "gpx": "application/gpx+xml", "geojson": "application/geo+json", "json": "application/json",
        "kml": "application/vnd.google-earth.kml+xml", "fit": "application/vnd.ant.fit",
        "tcx": "application/vnd.garmin.tcx+xml", "pdf": "application/pdf", "html": "text/html",
        "md": "text/markdown",
    ]

    /// The bytes of a message with a file of this name.
    static func data(attaching content: Data, named name: String) -> Data {
        let url = URL(fileURLWithPath: name)
        let type = types[url.pathExtension.lowercased()] ?? "application/octet-stream"
        let subject = url.deletingPathExtension().lastPathComponent
        let lines =
            [
                "Subject: \(encoded(subject))", "X-Unsent: 1", "MIME-Version: 1.0",
                "Content-Type: multipart/mixed; boundary=\"\(boundary)\"", "", "--\(boundary)",
                "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
            ] + base64(Data("\(name) is attached.\r\n".utf8)) + [
                "--\(boundary)", "Content-Type: \(type)", "Content-Transfer-Encoding: base64",
                "Content-Disposition: attachment; filename*=UTF-8''\(percent(name))", "",
            ] + base64(content) + ["--\(boundary)--", ""]
        return Data(lines.joined(separator: "\r\n").utf8)
    }

    private static func base64(_ data: Data) -> [String] {
        let text = Array(data.base64EncodedString().utf8)
        return stride(from: 0, to: text.count, by: line).map {
            String(decoding: text[$0..<min(text.count, $0 + line)], as: UTF8.self)
        }
    }

    /// Bytes of an encoded word before base64: a word has at most 75 characters (RFC 2047).
    private static let word = 45

    /// A header's text; other letters than ASCII as encoded words of whole characters.
    private static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy({ (32..<127).contains($0) }), text.utf8.count < line { return text }
        var words: [String] = [""]
        for character in text {
            if let last = words.last, last.utf8.count + character.utf8.count > word { words.append("") }
            words[words.count - 1].append(character)
        }
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    private static func percent(_ name: String) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return name.addingPercentEncoding(withAllowedCharacters: plain) ?? name
    }
}
