import Archives
import CXml
import Core
import Foundation
import Glibc

/// Receives the events of a push parser. Names are local names, `space` is the namespace: `nil` if there is
/// none, empty if its prefix was never declared. A thrown error stops the parser.
package protocol XMLDelegate: AnyObject {
    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes) throws
    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws
    func end() throws
}

/// Says in which line the parser is.
final class XMLPosition {
    var line: () -> Int? = { nil }
    init() {}
}

/// A delegate that says where something is.
protocol XMLPlaced: XMLDelegate {
    /// Takes the function that returns the line that is read.
    func take(_ line: @escaping () -> Int?)
}

/// The attributes of an element in libxml2's representation: five pointers per attribute.
package struct XMLAttributes {
    fileprivate let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    /// Their number.
    let count: Int

    /// The bytes of an attribute's value.
    package func value(_ name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard let base else { return nil }
        for index in 0..<count {
            let entry = base + index * 5
            guard let found = entry[0], let start = entry[3], let end = entry[4] else { continue }
            if strcmp(UnsafeRawPointer(found).assumingMemoryBound(to: CChar.self), name.cString) == 0 {
                return UnsafeBufferPointer(start: start, count: end - start)
            }
        }
        return nil
    }
}

extension XMLAttributes {
    /// All attributes in order: local name, namespace (`nil` for none), value.
    package var all: [(name: String, space: String?, value: String)] {
        guard let base else { return [] }
        return (0..<count).compactMap { index in
            let entry = base + index * 5
            guard let name = entry[0], let start = entry[3], let end = entry[4] else { return nil }
            let value = String(
                decoding: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self
            )
            return (
                String(cString: name), entry[2].map { String(cString: $0) },
                value.replacing("&#38;", with: "&")
            )
        }
    }

    /// An attribute's value as text.
    package func text(_ name: StaticString) -> String? {
        // libxml2 returns an ampersand as the reference `&#38;` and everything else decoded.
        value(name).map { String(decoding: $0, as: UTF8.self).replacing("&#38;", with: "&") }
    }
}

extension XMLAttributes {
    /// The bytes of the first attribute whose name in small letters is one of several.
    func value(of names: Set<String>) -> UnsafeBufferPointer<UInt8>? {
        guard let base else { return nil }
        for index in 0..<count {
            let entry = base + index * 5
            guard let found = entry[0], let start = entry[3], let end = entry[4],
                names.contains(String(cString: found).lowercased())
            else { continue }
            return UnsafeBufferPointer(start: start, count: end - start)
        }
        return nil
    }
}

extension StaticString {
    fileprivate var cString: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

/// A push parser: no network, no document types, bounded texts. Belongs to the thread that created it.
package final class XMLPushParser {
    /// The errors that a format's reader throws for invalid XML.
    package struct Failures: Sendable {
        let malformed: ErrorKind
        let hostile: ErrorKind

        /// The error kinds of a format.
        package init(malformed: ErrorKind, hostile: ErrorKind) {
            self.malformed = malformed
            self.hostile = hostile
        }

        /// The error kinds of GPX files.
        package static let gpx = Failures(malformed: GPXErrors.xml, hostile: GPXErrors.hostile)
    }

    private let path: String
    private let failures: Failures
    private let parser: OpaquePointer
    private let state: State

    /// The state accessed by the C callbacks through their user pointer.
    private final class State {
        let delegate: any XMLDelegate
        var failure: (any Error)?
        var parser: OpaquePointer?
        /// Start tags that the delegate knows already.
        var muted = 0

        init(_ delegate: any XMLDelegate) { self.delegate = delegate }

        /// Runs a callback. The parser keeps its state alive, so no references are counted: a file has
        /// millions of calls.
        @inline(__always)
        static func run(_ user: UnsafeMutableRawPointer?, _ body: (any XMLDelegate) throws -> Void) {
            guard let user else { return }
            Unmanaged<State>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.run(body) }
        }

        /// Whether a start tag is one that the delegate knows already.
        @inline(__always)
        static func isMuted(_ user: UnsafeMutableRawPointer?) -> Bool {
            guard let user else { return true }
            return Unmanaged<State>.fromOpaque(user)._withUnsafeGuaranteedRef { state in
                guard state.muted > 0 else { return false }
                state.muted -= 1
                return true
            }
        }

        @inline(__always)
        private func run(_ body: (any XMLDelegate) throws -> Void) {
            do {
                try body(delegate)
            } catch {
                failure = error
                cxml_stop(parser)
            }
        }
    }

    package init(
        path: String, delegate: any XMLDelegate, failures: Failures = .gpx
    ) throws(RutterError) {
        try NativeLibrary.xml.require()
        self.path = path
        self.failures = failures
        state = State(delegate)
        let handlers = cxml_handlers(
            start: { user, name, space, count, attributes in
                guard let name, !State.isMuted(user) else { return }
                State.run(user) {
                    try $0.start(name, in: space, XMLAttributes(base: attributes, count: Int(count)))
                }
            },
            text: { user, bytes, count in
                State.run(user) { try $0.text(UnsafeBufferPointer(start: bytes, count: Int(count))) }
            },
            end: { user in State.run(user) { try $0.end() } })
        guard let made = cxml_create(handlers, Unmanaged.passUnretained(state).toOpaque()) else {
            throw CommonErrors.fileAccess("\(path): out of memory for the parser")
        }
        parser = made
        state.parser = made
    }

    deinit { cxml_free(parser) }

    package func feed(_ data: Data) throws { try data.withUnsafeBytes { try feed($0) } }

    package func feed(_ bytes: UnsafeRawBufferPointer) throws {
        try check(
            cxml_feed(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0))
    }

    package func finish() throws { try check(cxml_feed(parser, nil, 0, 1)) }

    /// The line and column of the file at which this parser began, and the bytes that it was given before.
    private var start = (line: 1, column: 1, opening: 0)

    /// Begins behind a fault: the start tags around it are read without the delegate.
    private func open(_ restart: XMLRestart) throws {
        guard restart.count > 0 else { return }
        state.muted = restart.count
        start = (restart.line, restart.column, restart.opening.count)
        try restart.opening.withUnsafeBytes { try feed($0) }
    }

    /// The line that is read.
    var line: Int {
        var line: Int32 = 1
        var column: Int32 = 1
        cxml_position(parser, &line, &column)
        return position(line, column).line
    }

    /// The line and column of the file.
    private func position(_ line: Int32, _ column: Int32) -> (line: Int, column: Int) {
        guard line == 1 else { return (Int(line) + start.line - 1, Int(column)) }
        return (start.line, max(1, Int(column) - start.opening + start.column - 1))
    }

    private func check(_ status: cxml_status) throws {
        var line: Int32 = 1
        var column: Int32 = 1
        cxml_position(parser, &line, &column)
        let here = position(line, column)
        let place = RutterError.Place.file(path: path, line: here.line, column: here.column)
        if let failure = state.failure {
            if let known = failure as? RutterError { throw known.located(at: place) }
            throw failure
        }
        if status == CXML_DOCTYPE {
            throw failures.hostile(
                "document types are not allowed", at: place,
                fix: "remove the line <!DOCTYPE …> if you trust the file")
        }
        guard status == CXML_MALFORMED, let message = cxml_message(parser, &line, &column) else { return }
        var text = String(cString: message).split(whereSeparator: \.isNewline).joined(separator: " ")
        // The lines in the words of a parser that began behind a fault are not those of the file.
        if start.opening > 0 { text = text.replacing(#/ line \d+/#, with: "") }
        let fault = position(line, column)
        throw failures.malformed(
            "XML: \(text.prefix(200))", at: .file(path: path, line: fault.line, column: fault.column),
            fix: "the file is truncated or damaged there; copy or export it again")
    }
}

extension XMLPushParser {
    /// Reads a whole file in pieces, mended by `repair`. Behind a fault, reading goes on at the next element at which the delegate
    /// can; `repair` says what lies between. Throws the delegate's error with line and column, an error of the given kinds, or the
    /// error of `check`, which is called for each piece.
    package static func read(
        _ source: SourceBytes, into delegate: any XMLDelegate, failures: Failures = .gpx,
        repair: XMLRepair, check: () throws -> Void
    ) throws {
        try refuseWebPage(source, failures)
        if source.size == 0 {
            throw failures.malformed(
                "the file is empty", at: .file(path: source.name, line: 1, column: 1), fix: "export it again")
        }
        // Some devices write blanks before the declaration, which XML does not allow, also after a mark.
        let blanks = leading(try source.bytes(at: 0, count: headLength)[...])
        if let other = try XMLDeclaration.contradicted(source, at: blanks) {
            repair.contradiction = other.words
            return try read(other.source, into: delegate, failures: failures, repair: repair, check: check)
        }
        var restart = XMLRestart(offset: blanks)
        var head: XMLRestart.Head?
        var faults = 0
        while true {
            let fault: RutterError
            do {
                return try read(source, from: restart, into: delegate, failures, repair, check)
            } catch let error as RutterError where error.code == failures.malformed.code {
                fault = error
            }
            guard faults < XMLRestart.most, let delegate = delegate as? any XMLResuming, !repair.isForeign,
                case .file(_, let line?, let column) = fault.place,
                let beginning = try head ?? XMLRestart.Head(source, at: blanks),
                case let start = repair.earliest((line, column ?? 1)),
                let next = try restart.next(
                    of: delegate.restarts, in: source, beginning, behind: start,
                    begun: delegate.begun, isRepeating: delegate.isRepeating, check: check),
                let element = next.element
            else { throw fault }
            let isRepeating = delegate.isRepeating
            // A parser that ends where it is deep enough met no fault.
            if !isRepeating { faults += 1 }
            guard let names = try delegate.resume(before: element) else { throw fault }
            if isRepeating {
                repair.begin()
            } else {
                repair.skip(
                    XMLGap(lines: start.line...max(start.line, next.line), reason: fault.message),
                    to: next.line)
            }
            restart = next.inside(names, of: beginning)
            head = beginning
        }
    }

    /// Reads the rest of a file.
    private static func read(
        _ source: SourceBytes, from start: XMLRestart, into delegate: any XMLDelegate,
        _ failures: Failures, _ repair: XMLRepair, _ check: () throws -> Void
    ) throws {
        let parser = try XMLPushParser(path: source.name, delegate: delegate, failures: failures)
        (delegate as? any XMLPlaced)?.take { [weak parser] in parser?.line }
        repair.restarts = (delegate as? any XMLResuming)?.restarts ?? []
        try parser.open(start)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: GPXSettings.chunk, alignment: 1)
        defer { buffer.deallocate() }
        var offset = start.offset
        // Behind a fault the next one may follow soon.
        var length = start.count > 0 ? min(XMLRestart.firstPiece, buffer.count) : buffer.count
        while true {
            let count = try source.read(into: .init(rebasing: buffer[..<length]), at: offset)
            length = min(2 * length, buffer.count)
            if count == 0 { break }
            offset += count
            try check()
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            try repair.pass(piece, isLast: false) { try parser.feed($0) }
        }
        try repair.pass(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) { try parser.feed($0) }
        try parser.finish()
    }

    /// Bytes of blanks and marks of UTF-8 at the beginning.
    private static func leading(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while let first = rest.first {
            if first == 32 || (9...13).contains(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: UTF8Check.byteOrderMark) {
                rest = rest.dropFirst(UTF8Check.byteOrderMark.count)
            } else {
                break
            }
        }
        return bytes.count - rest.count
    }

    /// What a site answers instead of a file is no damaged recording.
    private static func refuseWebPage(_ source: SourceBytes, _ failures: Failures) throws {
        let head = HeadText(try source.bytes(at: 0, count: headLength))
        guard case .element(let root) = head.start, root.lowercased() == "html",
            head.text.lowercased().contains("<!doctype")
        else { return }
        throw failures.malformed(
            "this is a web page, perhaps an error or a sign-in page of the site",
            at: .file(path: source.name, line: 1, column: 1),
            fix: "download the file itself, signed in if the site asks for it")
    }

    /// Bytes in which the outermost element is looked for.
    private static let headLength = 4096
}
