/// The effect of Tab.
enum CompletionStep: Equatable {
    /// No candidates.
    case nothing
    /// The text changes, and the cursor moves to an offset.
    case edit(text: Scalars, cursor: Int)
    /// The text cannot be completed any further: the candidates are shown.
    case list([Completion])

    /// Decides, for text with an answer whose range lies within it.
    static func decide(text: Scalars, answer: CompletionAnswer?) -> CompletionStep {
        guard let answer, let first = answer.candidates.first, answer.range.lowerBound >= 0,
            answer.range.upperBound <= text.count
        else { return .nothing }
        if answer.candidates.count == 1 { return accept(first, in: text, range: answer.range) }
        let common = commonPrefix(of: answer.candidates.map(\.replacement)).scalarValues
        let present = Array(text[answer.range])
        // A completer may match in the middle of a word; typed text is never shortened for that.
        guard common.count >= present.count, common != present else { return .list(answer.candidates) }
        return replace(answer.range, with: common, in: text)
    }

    private static func accept(_ candidate: Completion, in text: Scalars, range: Range<Int>) -> CompletionStep
    {
        var replacement = candidate.replacement.scalarValues
        var range = range
        // A quote or slash that stands behind the cursor already is the one of the name.
        if let last = replacement.last, [0x27, 0x22, 0x2F].contains(last), range.upperBound < text.count,
            text[range.upperBound] == last
        {
            range = range.lowerBound..<(range.upperBound + 1)
        }
        if candidate.appendsSpace {
            replacement.append(0x20)
            if range.upperBound < text.count, text[range.upperBound] == 0x20 {
                range = range.lowerBound..<(range.upperBound + 1)
            }
        }
        return replace(range, with: replacement, in: text)
    }

    private static func replace(
        _ range: Range<Int>, with replacement: Scalars, in text: Scalars
    ) -> CompletionStep {
        var result = text
        result.replaceSubrange(range, with: replacement)
        return .edit(text: result, cursor: range.lowerBound + replacement.count)
    }

    /// The longest common prefix, in whole characters.
    static func commonPrefix(of texts: [String]) -> String {
        guard var common = texts.first else { return "" }
        for text in texts.dropFirst() { common = common.commonPrefix(with: text) }
        return common
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
