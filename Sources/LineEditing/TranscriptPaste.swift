import Foundation

/// Pasted text may be a session transcript: only its commands are inserted, without prompts and output.
enum TranscriptPaste {
    /// The commands in pasted text.
    ///
    /// If a line begins with the prompt, the text is a transcript: the text after prompts and after
    /// continuation prompts directly following is kept; everything else is output and dropped. Other text is
    /// unchanged. A line of the result ends with a newline if it did in the paste, so that a last, unfinished
    /// line is not executed.
    static func commands(
        in text: String, prompt: String = "rutter> ", continuationPrompt: String = "   ...> "
    ) -> String {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { withoutContext($0, prompt: prompt) }
        guard lines.contains(where: { $0.hasPrefix(prompt) }) else { return text }
        var result = ""
        var isWithinEntry = false
        for (index, line) in lines.enumerated() {
            let kept: Substring
            if let command = rest(of: line, after: prompt) {
                isWithinEntry = !command.allSatisfy(\.isWhitespace)
                guard isWithinEntry else { continue }
                kept = command
            } else if isWithinEntry, let further = rest(of: line, after: continuationPrompt) {
                kept = further
            } else {
                isWithinEntry = false
                continue
            }
            result += kept
            if index < lines.count - 1 { result += "\n" }
        }
        return result
    }

    /// A line without the bracketed text before the prompt: `[bug, read-only] rutter> `.
    private static func withoutContext(_ line: Substring, prompt: String) -> Substring {
        guard line.first == "[", let end = line.range(of: "] " + prompt) else { return line }
        return line[line.index(end.lowerBound, offsetBy: 2)...]
    }

    /// The text after a prompt. Copying often drops the space at the end of an empty line.
    private static func rest(of line: Substring, after prompt: String) -> Substring? {
        if line.hasPrefix(prompt) { return line.dropFirst(prompt.count) }
        var bare = prompt[...]
        while bare.last == " " { bare.removeLast() }
        return line == bare ? "" : nil
    }
}
