import Core

/// Characters of pictures that no installed font has: PNG and PDF show them as boxes.
public enum MissingGlyphs {
    /// Number of characters that a warning lists.
    private static let listed = 20

    /// A warning about the characters; `nil` if all are drawn.
    public static func warning(of pages: [Scene]) throws(PictureError) -> String? {
        var texts: [String] = []
        var seen: Set<String> = []
        func look(_ shape: SceneShape) {
            switch shape {
            case .text(let text): if seen.insert(text.string).inserted { texts.append(text.string) }
            case .group(let parts, _), .symbol(_, let parts): for part in parts { look(part.shape) }
            default: break
            }
        }
        for page in pages { for element in page.elements { look(element.shape) } }
        var missing: [Character] = []
        var known: Set<Character> = []
        for text in texts {
            for character in try TextMetrics.charactersWithoutGlyph(in: text)
            where known.insert(character).inserted {
                missing.append(character)
            }
        }
        guard !missing.isEmpty else { return nil }
        let shown = missing.lazy.map { character in
            let codes = character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
            return "\(character) (\(codes.joined(separator: " ")))"
        }
        return "no installed font has \(shown.listed(first: listed)); shown as a box"
    }
}
