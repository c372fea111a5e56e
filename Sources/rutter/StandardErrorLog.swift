import ArgumentParser
import Foundation
import Logging

/// How log lines are written.
enum LogStyle: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

/// A log handler that writes one line a message to standard error, as text or as JSON.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .notice
    let style: LogStyle

    static func logger(_ style: LogStyle) -> Logger {
        Logger(label: "rutter") { _ in StandardErrorLog(style: style) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let line =
            switch style {
            case .text: text(event.level, event.message, all)
            case .json: json(event.level, event.message, all)
            }
        Output.complain(line + "\n")
    }

    private func text(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata) -> String
    {
        let facts = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        return "\(level): \(message)\(facts)"
    }

    private func json(_ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata) -> String
    {
        var object = metadata.mapValues(LogFact.init)
        object["level"] = .text(level.rawValue)
        object["message"] = .text("\(message)")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// A fact of a log line: numbers stay numbers, so that programs can compute with them.
private enum LogFact: Encodable {
    case integer(Int)
    case number(Double)
    case text(String)

    init(_ value: Logger.MetadataValue) {
        if case .stringConvertible(let fact) = value {
            if let fact = fact as? Int {
                self = .integer(fact)
                return
            }
            if let fact = fact as? Double, fact.isFinite {
                self = .number(fact)
                return
            }
        }
        self = .text("\(value)")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let fact): try container.encode(fact)
        case .number(let fact): try container.encode(fact)
        case .text(let fact): try container.encode(fact)
        }
    }
}
