import Core
import Foundation

/// A request to a worker: one line of JSON on its standard input.
struct WorkerJob: Codable, Sendable, Equatable {
    /// The version that both sides must use.
    static let version = 1

    var id: UInt64
    /// The file, absolute.
    var file: String
    /// The name in the report.
    var name: String
    var dataFolder: String?
    var noSkip = false
    var coverage = false
    var keepsActual = false
    /// The parent folder of the workspace.
    var scratch: String
}

/// A message of a worker: one line of JSON on its standard output.
enum WorkerEvent: Codable, Sendable, Equatable {
    /// Sent once, first.
    case hello(version: Int)
    /// A notebook starts, with this timeout per entry.
    case start(job: UInt64, timeoutNanoseconds: UInt64)
    /// An entry failed.
    case failure(job: UInt64, EntryFailure)
    /// A notebook ended; its failures were already reported.
    case done(job: UInt64, NotebookReport)
}

/// The lines of the protocol.
enum WorkerLine {
    /// A value as a line with its newline.
    static func encode(_ value: some Encodable) -> [UInt8] {
        guard let data = try? JSONEncoder().encode(value) else { return [] }
        return Array(data) + [0x0A]
    }

    /// The value of a line.
    static func decode<T: Decodable>(_ type: T.Type, _ line: some Sequence<UInt8>) -> T? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}

/// The page on which the worker reports its progress.
enum WorkerDescriptors {
    static let page: Int32 = 3
    /// The environment variable that announces the page. Without it the descriptor may be any file.
    static let pageVariable = "RUTTER_WORKER_PAGE"
}
