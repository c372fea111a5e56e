import Formats
import PluginKit

/// The origin of a text, for the locations of errors.
struct TextOrigin: Sendable {
    /// The file's name; `nil` for text from the pipe.
    let file: String?
    /// What to type for the file; `nil` for what cannot be opened again.
    let typed: String?

    init(file: String?, typed: String? = nil) { (self.file, self.typed) = (file, typed) }

    /// The command that reads the text in a format: `from csv --file 'a.csv'`.
    func command(_ format: String) -> String {
        "from \(format)" + (typed.map { " --file \(Literal.text($0))" } ?? "")
    }

    /// An error at a line and column, counted from 1.
    func error(
        _ kind: ErrorKind, _ message: String, line: Int, column: Int? = nil, fix: String? = nil
    ) -> RutterError {
        if let file { return kind(message, at: .file(path: file, line: line, column: column), fix: fix) }
        let location = "line \(line)" + (column.map { ", column \($0)" } ?? "")
        return kind("\(location): \(message)", fix: fix)
    }

    /// An error in JSON.
    func error(_ fault: JSONFault) -> RutterError {
        let kind =
            switch fault.kind {
            case .encoding: DataErrors.encoding
            case .depth: DataErrors.depth
            default: DataErrors.json
            }
        guard let position = fault.position else { return kind(fault.explanation, fix: fault.fix) }
        return error(
            kind, fault.explanation, line: position.line, column: position.column, fix: fault.fix)
    }

    /// How a text of another encoding is read.
    var conversion: String {
        "name its encoding: `open \(typed.map { Literal.text($0) } ?? "FILE") --encoding NAME`, NAME being such as "
            + "windows-1251, shift_jis or gb18030"
    }

    /// Text of bytes that must be UTF-8, without a byte order mark.
    func text(_ bytes: some RandomAccessCollection<UInt8>, line: Int = 1) throws(RutterError) -> String {
        let isMarked = line == 1 && bytes.starts(with: UTF8Check.byteOrderMark)
        if let text = String(validating: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self) { return text }
        let position = TextPosition(of: UTF8Check.firstInvalid(Array(bytes)) ?? 0, in: bytes)
        throw error(
            DataErrors.encoding, "invalid UTF-8", line: line + position.line - 1, column: position.column,
            fix: conversion)
    }
}
