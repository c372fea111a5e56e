import Foundation

/// Collects elements of other namespaces as XML that declares its own namespaces, so that it can be written
/// into another file. Understood values are omitted, and so are elements with no other content.
struct ForeignMarkup {
    /// The names and the start tag of an element, cached for its repetitions.
    private struct Kind {
        let name: String
        let space: String
        let tag: [UInt8]
    }

    /// Identifies a kind. libxml2 interns names and namespaces: equal ones have equal pointers.
    private struct Key: Hashable {
        let name: UnsafePointer<CChar>
        let space: UnsafePointer<CChar>?
        /// The kind of the parent element, whose namespace is not declared again.
        let parent: Int?

        var slot: Int {
            let address = Int(bitPattern: name)
            return (address ^ address >> 5 ^ (parent ?? 0)) & (ForeignMarkup.slots - 1)
        }
    }

    private struct Frame {
        let kind: Int
        let start: Int
        let contentStart: Int
        var hasChildren = false
        var wasUnderstood = false
        let isPlain: Bool
    }

    /// A power of two.
    private static let slots = 64
    /// The namespace given to elements that have none of their own, as those of Apple's exports.
    static let unqualified = "urn:rutter:gpx:unqualified"

    private var out = XMLOutput()
    private var frames: [Frame] = []
    /// The text of the innermost element since its last child.
    private var text: [UInt8] = []
    private var kinds: [Kind] = []
    private var numbers: [Key: Int] = [:]
    /// The last kind found for each slot.
    private var recent = [(key: Key, kind: Int)?](repeating: nil, count: ForeignMarkup.slots)

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
        let kind = kind(Key(name: name, space: space, parent: frames.last?.kind))
        let start = out.bytes.count
        out.raw(kinds[kind].tag)
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
            Frame(kind: kind, start: start, contentStart: out.bytes.count, isPlain: others.isEmpty))
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if isOpen { text.append(contentsOf: bytes) }
    }

    /// The innermost element if it has no children and no attributes.
    var leaf: (name: String, text: [UInt8])? {
        guard let frame = frames.last, !frame.hasChildren, frame.isPlain else { return nil }
        return (kinds[frame.kind].name, text)
    }

    /// The name of the innermost element.
    var name: String? { frames.last.map { kinds[$0.kind].name } }

    /// Ends an element; an understood one, whose value is stored elsewhere, is left out.
    mutating func end(isUnderstood: Bool) {
        guard let frame = frames.popLast() else { return }
        defer { text.removeAll(keepingCapacity: true) }
        if isUnderstood { return leave(out: frame) }
        if frame.wasUnderstood, frame.isPlain, out.bytes.count == frame.contentStart, Self.isBlank(text) {
            return leave(out: frame)
        }
        if !frame.hasChildren || !Self.isBlank(text) { out.text(String(decoding: text, as: UTF8.self)) }
        out.raw("</")
        out.markup(kinds[frame.kind].name)
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

    private mutating func kind(_ key: Key) -> Int {
        if let (known, kind) = recent[key.slot], known == key { return kind }
        let kind = numbers[key] ?? added(key)
        recent[key.slot] = (key, kind)
        return kind
    }

    private mutating func added(_ key: Key) -> Int {
        let name = String(cString: key.name)
        let space = key.space.map { String(cString: $0) } ?? ""
        var tag = XMLOutput()
        tag.raw("<")
        tag.markup(name)
        if key.parent.map({ kinds[$0].space }) != space {
            tag.raw(" xmlns=\"")
            // The schema allows elements of other namespaces alone.
            tag.text(GPXNamespace.isOwn(key.space) ? Self.unqualified : space)
            tag.raw("\"")
        }
        kinds.append(Kind(name: name, space: space, tag: tag.bytes))
        numbers[key] = kinds.count - 1
        return kinds.count - 1
    }

    private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 <= 32 } }
}
