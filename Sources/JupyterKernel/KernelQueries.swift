import Core
import Formats
import Workbench

extension Kernel {
    /// The reply to a read-only request; `nil` for an unknown type.
    func look(_ message: KernelMessage) async -> JSONTree? {
        let content = message.content
        switch message.type {
        case "kernel_info_request": return information
        case "complete_request": return await completion(content)
        case "inspect_request": return await inspection(content)
        case "is_complete_request": return await completeness(content)
        case "history_request": return await history(content)
        case "comm_info_request": return JSONTree(members: ["status": .text("ok"), "comms": .object([])])
        case "connect_request": return .object(configuration.connection.portMembers)
        default: return nil
        }
    }

    private var information: JSONTree {
        JSONTree(members: [
            "status": .text("ok"), "protocol_version": .text(Self.protocolVersion),
            "implementation": .text("rutter"),
            "implementation_version": .text(configuration.version),
            "language_info": JSONTree(members: [
                "name": .text("rutter"), "version": .text(configuration.version),
                "mimetype": .text("text/x-rutter"),
                "file_extension": .text(".rut"),
            ]),
            "banner": .text(
                "Rutter \(configuration.version): a workbench for wayfinding software. Cells work \(configuration.ground). "
                    + "`help` shows an overview."
            ),
            "debugger": .boolean(false), "help_links": .list([]),
        ])
    }

    /// The code and cursor of a request; the cursor defaults to the end.
    private func position(_ content: JSONTree) -> (code: String, cursor: Int)? {
        guard let code = content["code"]?.text else { return nil }
        let cursor = content["cursor_pos"]?.number.flatMap { Int(exactly: $0) }
        return (code, cursor ?? code.unicodeScalars.count)
    }

    private func refusal(_ field: String) -> JSONTree {
        var content = CellFailure(KernelErrors.request("a request has no `\(field)`")).content
        content["status"] = .text("error")
        return content
    }

    private func completion(_ content: JSONTree) async -> JSONTree {
        guard let (code, cursor) = position(content) else { return refusal("code") }
        let (range, candidates) = await session.completions(of: code, at: cursor)
        return JSONTree(members: [
            "status": .text("ok"), "matches": .list(candidates.map { .text($0) }),
            "cursor_start": JSONTree(range.lowerBound), "cursor_end": JSONTree(range.upperBound),
            "metadata": .object([]),
        ])
    }

    private func inspection(_ content: JSONTree) async -> JSONTree {
        guard let (code, cursor) = position(content) else { return refusal("code") }
        let text = await session.inspection(of: code, at: cursor)
        return JSONTree(members: [
            "status": .text("ok"), "found": .boolean(text != nil),
            "data": JSONTree(members: ["text/plain": text.map { .text($0) }]), "metadata": .object([]),
        ])
    }

    private func completeness(_ content: JSONTree) async -> JSONTree {
        guard let (code, _) = position(content) else { return refusal("code") }
        let status = await session.completeness(of: code)
        return JSONTree(members: [
            "status": .text(status), "indent": status == "incomplete" ? .text("") : nil,
        ])
    }

    private func history(_ content: JSONTree) async -> JSONTree {
        let all = await session.history
        let wanted = HistorySearch(content).found(in: all)
        let hasOutput = content["output"]?.flag ?? false
        let rows = wanted.map { entry -> JSONTree in
            let text = JSONTree.text(entry.input)
            return .list([
                // A kernel has one session; history is not persisted.
                JSONTree(1), JSONTree(entry.number),
                hasOutput ? .list([text, entry.output.isEmpty ? .null : .text(entry.output)]) : text,
            ])
        }
        return JSONTree(members: ["status": .text("ok"), "history": .list(rows)])
    }
}

/// The cells selected by a history request.
struct HistorySearch {
    private let content: JSONTree

    init(_ content: JSONTree) { self.content = content }

    private func number(_ key: String) -> Int? { content[key]?.number.flatMap { Int(exactly: $0) } }

    /// `tail`: the last cells; `range`: those with numbers from `start` to below `stop`, in session 0 or 1, which both
    /// mean the current one; `search`: those that match a glob pattern.
    func found(in all: [KernelSession.HistoryEntry]) -> [KernelSession.HistoryEntry] {
        let count = max(0, number("n") ?? .max)
        switch content["hist_access_type"]?.text {
        case "range":
            guard [0, 1].contains(number("session") ?? 0) else { return [] }
            let first = number("start") ?? 0
            let end = number("stop") ?? .max
            return all.filter { $0.number >= first && $0.number < end }
        case "search":
            let pattern = Array((content["pattern"]?.text ?? "*").unicodeScalars)
            var matching = all.filter { Self.matches(Array($0.input.unicodeScalars), pattern) }
            if content["unique"]?.flag ?? false {
                var known: Set<String> = []
                matching = matching.reversed().filter { known.insert($0.input).inserted }.reversed()
            }
            return matching.suffix(count)
        default: return all.suffix(count)
        }
    }

    /// `*` matches any characters, `?` one. O(product of both lengths).
    static func matches(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        var (index, patternIndex) = (0, 0)
        var star: (patternIndex: Int, index: Int)?
        while index < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "*" {
                star = (patternIndex, index)
                patternIndex += 1
            } else if patternIndex < pattern.count,
                pattern[patternIndex] == "?" || pattern[patternIndex] == text[index]
            {
                index += 1
                patternIndex += 1
            } else if let last = star {
                star = (last.patternIndex, last.index + 1)
                (index, patternIndex) = (last.index + 1, last.patternIndex + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "*" }
    }
}
