import Formats
import PluginKit

/// The option `--encoding` of commands that read text.
extension NamedEncoding {
    static let help =
        "encoding of the file, such as windows-1251, shift_jis or gb18030; recognised if omitted"

    /// Throws `E-ARG-RANGE` for a name that is not known.
    init(argument name: String) throws(RutterError) {
        guard let encoding = NamedEncoding(name) else {
            throw CommonErrors.argumentRange(
                "unknown encoding `\(name)`", at: .parameter("encoding"),
                fix:
                    "`iconv -l` lists the names; usual ones are windows-1251, iso-8859-2, koi8-r, shift_jis, gb18030, euc-kr",
                suggestion: Suggestion.nearest(to: name.lowercased(), in: NamedEncoding.usual))
        }
        self = encoding
    }
}
