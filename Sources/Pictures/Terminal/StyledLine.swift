/// A line of characters with colours, written with as few escape sequences as it needs.
struct StyledLine {
    let colors: TerminalStyle.Colors
    private var text = ""
    private var spaces = 0
    private var current: String?
    /// Whether the current sequence sets the background too.
    private var hasGround = false

    /// A colour with all channels below this is replaced by the terminal's own: the background may be dark.
    private static let darkest: UInt8 = 110

    init(colors: TerminalStyle.Colors) {
        self.colors = colors
    }

    mutating func append(_ character: Character, _ color: Color?, on shade: Color? = nil) {
        let ground = shade.flatMap { code($0, layer: 48) }
        if character == " ", ground == nil {
            spaces += 1
            return
        }
        if spaces > 0, hasGround { set(nil, hasGround: false) }
        text += String(repeating: " ", count: spaces)
        spaces = 0
        let ink = color.flatMap(sequence)
        // The terminal's default text colour may be invisible on the background.
        set(ground.map { $0 + (ink ?? code(Self.light, layer: 38) ?? "") } ?? ink, hasGround: ground != nil)
        text.append(character)
    }

    private mutating func set(_ wanted: String?, hasGround isGround: Bool) {
        guard wanted != current else { return }
        if wanted == nil || hasGround { text += Self.reset }
        text += wanted ?? ""
        (current, hasGround) = (wanted, isGround)
    }

    mutating func append(_ string: String, _ color: Color?) {
        for character in string { append(character, color) }
    }

    /// The line without spaces at its end, in the terminal's own colour again.
    func finished() -> String {
        current == nil ? text : text + Self.reset
    }

    private static let reset = "\u{1B}[0m"
    /// Letters on a coloured background.
    private static let light = Color(0xDADADA)

    private func sequence(_ color: Color) -> String? {
        guard max(color.red, color.green, color.blue) >= Self.darkest else { return nil }
        return code(color, layer: 38)
    }

    /// The sequence that colours letters (38) or their background (48).
    private func code(_ color: Color, layer: Int) -> String? {
        switch colors {
        case .none: nil
        case .ansi256: "\u{1B}[\(layer);5;\(Self.palette(color))m"
        case .truecolor: "\u{1B}[\(layer);2;\(color.red);\(color.green);\(color.blue)m"
        }
    }

    /// The nearest colour of the 6 × 6 × 6 cube or the grey ramp of the 256-colour palette.
    private static func palette(_ color: Color) -> Int {
        let channels = [color.red, color.green, color.blue].map(Int.init)
        let levels = [0, 95, 135, 175, 215, 255]
        let cube = channels.map { channel in
            levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
        }
        let mean = channels.reduce(0, +) / 3
        let grey = max(0, min(23, (mean - 3) / 10))
        let cubeError = zip(cube, channels).reduce(0) { $0 + squared(levels[$1.0] - $1.1) }
        let greyError = channels.reduce(0) { $0 + squared(8 + 10 * grey - $1) }
        if greyError < cubeError { return 232 + grey }
        return 16 + cube.reduce(0) { $0 * 6 + $1 }
    }

    private static func squared(_ value: Int) -> Int { value * value }
}
