import Formats
import Foundation

/// The XML of an answer as the texts of its elements, in the order in which they end. Any other answer, such
/// as the page of a proxy, has none.
struct S3Answer {
    private(set) var elements: [(name: String, text: String)] = []

    init(_ bytes: [UInt8]) {
        let reader = Reader()
        do {
            let parser = try XMLPushParser(path: "answer", delegate: reader)
            try parser.feed(Data(bytes))
            try parser.finish()
            elements = reader.elements
        } catch { elements = [] }
    }

    /// The text of the first element with a name.
    subscript(name: String) -> String? { elements.first { $0.name == name }?.text }

    private final class Reader: XMLDelegate {
        var elements: [(name: String, text: String)] = []
        private var open: [(name: String, text: [UInt8])] = []

        func start(
            _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
        ) { open.append((String(cString: name), [])) }

        func text(_ bytes: UnsafeBufferPointer<UInt8>) {
            if !open.isEmpty { open[open.count - 1].text.append(contentsOf: bytes) }
        }

        func end() {
            if let last = open.popLast() {
                elements.append((last.name, String(decoding: last.text, as: UTF8.self)))
            }
        }
    }
}
