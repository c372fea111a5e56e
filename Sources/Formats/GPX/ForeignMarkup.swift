import Foundation

/// Collects elements of other namespaces as XML that declares its own namespaces, so that it can be written into another
/// file. Elements whose value was understood are left out, and so are elements that held nothing else.
struct ForeignMarkup {
    private struct Frame {
        let name: String
        let space: String
        let start: Int
        var contentStart: Int
        var text: [UInt8] = []
        var hasChildren = false
        var wasUnderstood = false
        let isPlain: Bool
    }

    private var out = XMLOutput()
    private var frames: [Frame] = []
    /// libxml2 keeps each namespace once: pointers are equal where namespaces are.
    private var known: [(pointer: UnsafePointer<CChar>, text: String)] = []

    /// Whether an element is open.
    var isOpen: Bool { !frames.isEmpty }

    mutating func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) {
        if let last = frames.indices.last {
            flushText(last)
            frames[last].hasChildren = true
        }
        let label = String(cString: name)
        let uri = space.map { self.text(of: $0) } ?? ""
        let start = out.bytes.count
        out.raw("<")
        out.markup(label)
        if frames.last?.space != uri {
            out.raw(" xmlns=\"")
            out.text(uri)
            out.raw("\"")
        }
        let others = attributes.all
        for (number, attribute) in others.enumerated() {
            out.raw(" ")
            if let space = attribute.space {
                out.markup("xmlns:a\(number)=\"")
                out.text(space)
                out.markup("\" a\(number):")
            }
            out.markup(attribute.name)
            out.raw("=\"")
            out.text(attribute.value)
            out.raw("\"")
        }
        out.raw(">")
        frames.append(
            Frame(
                name: label, space: uri, start: start, contentStart: out.bytes.count, isPlain: others.isEmpty)
        )
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let last = frames.indices.last else { return }
        frames[last].text.append(contentsOf: bytes)
    }

    /// Ends an element; `understand` returns whether the value of a leaf has been stored elsewhere.
    mutating func end(_ understand: (_ name: String, _ value: String) -> Bool) {
        guard let frame = frames.popLast() else { return }
        if !frame.hasChildren, frame.isPlain {
            let value = String(decoding: frame.text, as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            if understand(frame.name, value) { return leave(out: frame) }
        }
        if frame.wasUnderstood, frame.isPlain, out.bytes.count == frame.contentStart, Self.isBlank(frame.text)
        {
            return leave(out: frame)
        }
        if !frame.hasChildren || !Self.isBlank(frame.text) {
            out.text(String(decoding: frame.text, as: UTF8.self))
        }
        out.raw("</")
        out.markup(frame.name)
        out.raw(">")
    }

    /// The collected XML; `nil` where nothing is left.
    mutating func take() -> String? {
        defer { out.cut(to: 0) }
        return out.bytes.isEmpty ? nil : String(decoding: out.bytes, as: UTF8.self)
    }

    private mutating func leave(out frame: Frame) {
        out.cut(to: frame.start)
        if let last = frames.indices.last { frames[last].wasUnderstood = true }
    }

    /// Text between elements; blanks are layout.
    private mutating func flushText(_ index: Int) {
        if !Self.isBlank(frames[index].text) {
            out.text(String(decoding: frames[index].text, as: UTF8.self))
        }
        frames[index].text.removeAll(keepingCapacity: true)
    }

    private mutating func text(of space: UnsafePointer<CChar>) -> String {
        if let found = known.first(where: { $0.pointer == space }) { return found.text }
        let text = String(cString: space)
        known.append((space, text))
        return text
    }

    private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 <= 32 } }
}
