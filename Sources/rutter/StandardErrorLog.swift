import ArgumentParser
import Formats
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
        var object = JSONTree.object(metadata.map { .init($0.key, fact($0.value)) })
        object["level"] = .text(level.rawValue)
        object["message"] = .text("\(message)")
        return object.sorted.compactText
    }

    /// A metadata value of a log line: numbers stay numbers, so that programs can compute with them.
    private func fact(_ value: Logger.MetadataValue) -> JSONTree {
        if case .stringConvertible(let fact) = value {
            if let fact = fact as? Int { return JSONTree(fact) }
            if let fact = fact as? Double, fact.isFinite { return JSONTree(fact) }
        }
        return .text("\(value)")
    }
}
