import Foundation

/// Collects elements of other namespaces as XML that declares its own namespaces, so that it can be written
/// into another file. Understood values are omitted, and so are elements with no other content.
struct ForeignMarkup {
    private struct Frame {
        let name: String
        let space: String
        let start: Int
        let contentStart: Int
        var hasChildren = false
        var wasUnderstood = false
        let isPlain: Bool
    }

    private var out = XMLOutput()
    private var frames: [Frame] = []
    /// The text of the innermost element since its last child.
    private var text: [UInt8] = []
    /// libxml2 interns names and namespaces: equal ones have equal pointers.
    private var known: [UnsafePointer<CChar>: String] = [:]

    /// Whether an element is open.
    var isOpen: Bool { !frames.isEmpty }

    mutating func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) {
        if let last = frames.indices.last {
            // Text between elements; whitespace is layout.
            if !Self.isBlank(text) { out.text(String(decoding: text, as: UTF8.self)) }
            frames[last].hasChildren = true
        }
        text.removeAll(keepingCapacity: true)
        let label = string(of: name)
        let uri = space.map { string(of: $0) } ?? ""
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
        if isOpen { text.append(contentsOf: bytes) }
    }

    /// Ends an element; `understand` returns whether the value of a leaf was stored elsewhere.
    mutating func end(_ understand: (_ name: String, _ value: UnsafeBufferPointer<UInt8>) -> Bool) {
        guard let frame = frames.popLast() else { return }
        defer { text.removeAll(keepingCapacity: true) }
        if !frame.hasChildren, frame.isPlain,
            GPXText.trimmed(text[...]).withUnsafeBufferPointer({ understand(frame.name, $0) })
        {
            return leave(out: frame)
        }
        if frame.wasUnderstood, frame.isPlain, out.bytes.count == frame.contentStart, Self.isBlank(text) {
            return leave(out: frame)
        }
        if !frame.hasChildren || !Self.isBlank(text) { out.text(String(decoding: text, as: UTF8.self)) }
        out.raw("</")
        out.markup(frame.name)
        out.raw(">")
    }

    /// The collected XML; `nil` if nothing is left.
    mutating func take() -> String? {
        defer { out.cut(to: 0) }
        return out.bytes.isEmpty ? nil : String(decoding: out.bytes, as: UTF8.self)
    }

    private mutating func leave(out frame: Frame) {
        out.cut(to: frame.start)
        if let last = frames.indices.last { frames[last].wasUnderstood = true }
    }

    private mutating func string(of name: UnsafePointer<CChar>) -> String {
        if let found = known[name] { return found }
        let string = String(cString: name)
        known[name] = string
        return string
    }

    private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 <= 32 } }
}
