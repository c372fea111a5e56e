/// How a prompt looks.
public struct PromptLook: Sendable, Equatable {
    /// Whether colours and suggestions are shown.
    public var hasColour: Bool
    /// The style of the prompt, as SGR parameters.
    public var promptStyle: String

    /// Creates a look.
    public init(hasColour: Bool, promptStyle: String) {
        (self.hasColour, self.promptStyle) = (hasColour, promptStyle)
    }
}

/// A prompt in libedit's form.
enum StyledPrompt {
    /// Encloses escape sequences, which have zero width.
    private static let mark = "\u{01}"

    /// The prompt, in colour if a style is given. libedit drops an escape sequence that ends the prompt, so the
    /// style ends before the last character, usually a space.
    static func make(_ prompt: String, style: String?) -> String {
        let text = prompt.filter { $0 != "\u{01}" }
        guard let style, let last = text.last, text.count > 1 else { return text }
        return mark + "\u{1B}[\(style)m" + mark + text.dropLast() + mark + "\u{1B}[0m" + mark + String(last)
    }
}
