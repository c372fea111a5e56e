import Archives
import Formats
import PluginKit

/// Formats of public transport and shared vehicles that are not GTFS Schedule, by their content.
enum TransitFormat: Equatable {
    case siri, netex, transXChange, gbfs, realtime, page, gzip

    /// Bytes at the beginning that are looked at.
    static let looked = 4096

    /// The format of a file that begins with some bytes; `nil` if it is none of these.
    init?(_ bytes: some Collection<UInt8>) {
        let head = bytes.prefix(Self.looked).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        func has(_ word: String) -> Bool { text.contains(word) }
        switch head.first {
        case UInt8(ascii: "<"):
            // The name of the root may have any prefix; NeTEx uses parts of SIRI's names.
            if has("publicationdelivery") || has("www.netex.org.uk/netex\"") {
                self = .netex
            } else if has("<transxchange") {
                self = .transXChange
            } else if has("www.siri.org.uk/siri") || has("<siri") || has(":siri ") {
                self = .siri
            } else if HeadText(Array(bytes.prefix(Self.looked))).isWebPage {
                self = .page
            } else {
                return nil
            }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if has("\"servicedelivery\"") {
                self = .siri
            } else if has("\"last_updated\""), has("\"ttl\""), has("\"data\"") {
                self = .gbfs
            } else if has("\"gtfs_realtime_version\"") || has("\"gtfsrealtimeversion\"") {
                self = .realtime
            } else {
                return nil
            }
        default:
            if bytes.starts(with: [0x1F, 0x8B]) {
                self = .gzip
            } else if Self.isMessage(Array(bytes.prefix(Self.looked))) || has("gtfs_realtime_version:") {
                self = .realtime
            } else {
                return nil
            }
        }
    }

    /// Whether bytes begin as messages in the binary form do: with a header that begins with its version.
    private static func isMessage(_ bytes: [UInt8]) -> Bool {
        // The header is field 1, the version its field 1: `2.0`.
        guard bytes.count > 7, bytes[0] == 0x0A, bytes[1] < 0x80, bytes[2] == 0x0A, bytes[3] == 3 else {
            return false
        }
        return (0x31...0x39).contains(bytes[4]) && bytes[5] == UInt8(ascii: ".")
            && (0x30...0x39).contains(bytes[6])
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .siri: "SIRI, another format for realtime, which is not read"
        case .netex: "NeTEx, another format for timetables, which is not read"
        case .transXChange: "TransXChange, another format for timetables, which is not read"
        case .gbfs: "GBFS, data of shared bikes or cars, which is not read"
        case .page: "a page of HTML, not a feed"
        case .gzip: "packed with gzip, which feeds are not"
        case .realtime: "a GTFS-realtime message, which is used beside a timetable"
        }
    }

    /// The way on for a file.
    func fix(_ name: String) -> String {
        switch self {
        case .siri: "ask the same service for GTFS-realtime, which most offer too"
        case .netex, .transXChange: "ask the same publisher for GTFS, or convert it to GTFS"
        case .gbfs: "give a GTFS feed for public transport"
        case .page: "read the page: it may tell of a missing key, a limit or another address"
        case .gzip: "unpack it with gunzip, and import what it holds"
        case .realtime: "feed realtime \(Literal.text(name))"
        }
    }

    /// The error of a file of this format where a timetable is expected.
    func error(_ name: String) -> RutterError {
        TransitErrors.archive("\(name) is \(words)", fix: fix(name))
    }
}

/// Names files of other formats of public transport, so that `import` does not take them for damaged ones.
struct OtherTransitFiles: FileImporting {
    let name = "transit"
    let extensions: Set<String> = []

    func targets(_ context: Context) -> [(word: String, meaning: String)] { [] }

    func kind(of source: SourceBytes, _ context: Context) throws -> String? {
        switch TransitFormat(try source.bytes(at: 0, count: TransitFormat.looked)) {
        // Other kinds of files begin so too.
        case nil, .page?, .gzip?: nil
        case let format?: "\(format)"
        }
    }

    func begin(_ options: ImportOptions, _ context: Context) throws -> any FileImport { Naming() }

    private final class Naming: FileImport {
        func add(_ file: SourceFile, _ source: SourceBytes, kind: String) throws -> SourceReport {
            throw try Self.error(file, source)
        }

        func view(_ file: SourceFile, _ source: SourceBytes, kind: String) throws -> Value {
            throw try Self.error(file, source)
        }

        private static func error(_ file: SourceFile, _ source: SourceBytes) throws -> RutterError {
            let format = TransitFormat(try source.bytes(at: 0, count: TransitFormat.looked))
            return format?.error(file.path) ?? TransitErrors.archive("\(file.path) is no feed")
        }

        func finish() {}
        func revert() {}
    }
}
