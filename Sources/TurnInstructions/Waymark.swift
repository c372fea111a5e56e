/// A painted waymark: colours, a shape and a text, which each language words.
///
/// Source: OpenStreetMap wiki, "Key:osmc:symbol": `waycolor:background:foreground:foreground2:text:textcolor`, of which the
/// end may be missing.
public struct Waymark: Sendable, Hashable {
    /// A shape of a colour; a background may be without a shape.
    struct Figure: Sendable, Hashable {
        var color: String
        var shape: String?

        init?(_ text: String) {
            let parts = text.split(separator: "_", maxSplits: 1).map(String.init)
            guard let first = parts.first else { return nil }
            guard Waymark.colors.contains(first) else {
                // A shape without a colour, as `shell_modern`, is black or has its own.
                color = ""
                shape = text
                return
            }
            color = first
            shape = parts.count > 1 ? parts[1] : nil
        }
    }

    static let colors: Set<String> = [
        "white", "yellow", "red", "blue", "green", "black", "brown", "orange", "gray", "grey", "purple",
        "violet",
    ]

    /// `nil` where it is painted on whatever is there.
    let background: Figure?
    let foreground: Figure?
    /// Letters or a number, with the colour if it is known.
    let text: String?
    let textColor: String?

    /// The waymark of a value; `nil` if it says nothing about what is painted.
    public init?(osmc value: String) {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
        guard parts.count >= 2 else { return nil }
        background = Figure(parts[1])
        var rest = parts.dropFirst(2)
        // A text is followed by its colour.
        if rest.count >= 2, let color = rest.last, Self.colors.contains(color),
            let text = rest.dropLast().last, !text.isEmpty, rest.count > 2 || Self.isText(text)
        {
            (self.text, textColor) = (text, color)
            rest = rest.dropLast(2)
        } else if rest.count >= 3, let text = rest.last, !text.isEmpty, Self.isText(text) {
            (self.text, textColor) = (text, nil)
            rest = rest.dropLast()
        } else {
            (text, textColor) = (nil, nil)
        }
        foreground = rest.lazy.filter { !$0.isEmpty }.compactMap(Figure.init).first
        guard foreground != nil || text != nil || background != nil && parts.count > 2 else { return nil }
    }

    /// Whether a part is letters to paint, not a shape.
    private static func isText(_ part: String) -> Bool {
        !colors.contains(part) && !part.contains("_") && part.count <= 4
    }

    /// The waymark in words of a language.
    public func words(_ language: TurnLanguage = .english) -> String {
        let words = language.waymarks
        func color(_ name: String) -> String { words.colors[name] ?? name }
        func figure(_ color: String, _ shape: String?) -> String {
            [("color", color), ("shape", shape ?? "")].reduce(shape == nil ? "{color}" : words.figure) {
                $0.replacing("{\($1.0)}", with: $1.1)
            }.split(separator: " ").joined(separator: " ")
        }
        if text == nil, let foreground, foreground.shape == "bar", let background, !background.color.isEmpty {
            let ground = color(background.color)
            return "\(ground)-\(color(foreground.color))-\(ground)"
        }
        let painted = foreground.map { figure(color($0.color), $0.shape.flatMap { shape($0, words) }) }
        let letters = text.map { figure(textColor.map(color) ?? "", $0) }
        let ground = background?.shape.flatMap { $0 == "frame" ? nil : shape($0, words) }
        let all = [painted, letters].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
        let under = background.map { figure(color($0.color), ground) } ?? ""
        if all.isEmpty || under.isEmpty { return all.isEmpty ? under : all }
        return words.on.replacing("{mark}", with: all).replacing("{ground}", with: under)
    }

    /// The word of a shape; an unknown one is named only in the language of the tags.
    private func shape(_ name: String, _ words: WaymarkWords) -> String? {
        words.shapes[name] ?? (words.knowsTags ? name.replacing("_", with: " ") : nil)
    }
}

/// The words for waymarks in a language.
struct WaymarkWords: Sendable, Hashable {
    let colors: [String: String]
    let shapes: [String: String]
    /// A shape with its colour: `{color}`, `{shape}`.
    let figure: String
    /// What is painted on a background: `{mark}`, `{ground}`.
    let on: String
    /// Whether the values of tags are words of the language.
    var knowsTags = false

    private static let shapeNames = [
        "bar", "stripe", "slash", "backslash", "cross", "x", "diamond", "diamond_line", "triangle",
        "triangle_turned",
        "triangle_line", "dot", "circle", "rectangle", "rectangle_line", "lower", "right", "corner",
        "pointer", "arrow",
        "left_arrow", "right_arrow", "shell", "shell_modern", "hiker", "house", "tower", "fork", "wheel", "L",
        "turned_T",
        "bowl", "hexagon", "crest", "mine", "arch", "left", "upper", "round", "half",
    ]

    private static func shapes(_ words: String) -> [String: String] {
        let list = words.split(separator: ",").map(String.init)
        return Dictionary(zip(shapeNames, list), uniquingKeysWith: { first, _ in first })
    }

    static let english = WaymarkWords(
        colors: [:],
        shapes: shapes(
            "bar,stripe,slash,backslash,cross,x,diamond,diamond outline,triangle,turned triangle,triangle outline,dot,circle,"
                + "rectangle,rectangle outline,lower half,right half,corner,pointer,arrow,left arrow,right arrow,shell,shell,hiker,"
                + "house,tower,fork,wheel,L,turned T,bowl,hexagon,crest,hammers,arch,left half,upper half,disc,half"
        ),
        figure: "{color} {shape}", on: "{mark} on {ground}", knowsTags: true)

    static let german = WaymarkWords(
        colors: [
            "white": "weiß", "yellow": "gelb", "red": "rot", "blue": "blau", "green": "grün",
            "black": "schwarz",
            "brown": "braun", "orange": "orange", "gray": "grau", "grey": "grau", "purple": "lila",
            "violet": "violett",
        ],
        shapes: shapes(
            "Balken,Strich,Schrägstrich,Schrägstrich,Kreuz,X,Raute,Rautenrahmen,Dreieck,umgekehrtes Dreieck,Dreiecksrahmen,Punkt,"
                + "Ring,Rechteck,Rechteckrahmen,untere Hälfte,rechte Hälfte,Winkel,Spitze,Pfeil,Pfeil links,Pfeil rechts,Muschel,"
                + "Muschel,Wanderer,Haus,Turm,Gabel,Rad,L,umgekehrtes T,Schale,Sechseck,Wappen,Schlägel und Eisen,Bogen,"
                + "linke Hälfte,obere Hälfte,Scheibe,Hälfte"),
        figure: "{shape} {color}", on: "{mark} auf {ground}")

    static let french = WaymarkWords(
        colors: [
            "white": "blanc", "yellow": "jaune", "red": "rouge", "blue": "bleu", "green": "vert",
            "black": "noir",
            "brown": "brun", "orange": "orange", "gray": "gris", "grey": "gris", "purple": "violet",
            "violet": "violet",
        ],
        shapes: shapes(
            "trait,bande,trait oblique,trait oblique,croix,X,losange,losange vide,triangle,triangle renversé,triangle vide,point,"
                + "cercle,rectangle,rectangle vide,moitié inférieure,moitié droite,coin,pointe,flèche,flèche à gauche,"
                + "flèche à droite,coquille,coquille,randonneur,maison,tour,fourche,roue,L,T renversé,coupe,hexagone,écusson,"
                + "marteaux,arc,moitié gauche,moitié supérieure,disque,moitié"),
        figure: "{shape} {color}", on: "{mark} sur {ground}")

    static let spanish = WaymarkWords(
        colors: [
            "white": "blanco", "yellow": "amarillo", "red": "rojo", "blue": "azul", "green": "verde",
            "black": "negro",
            "brown": "marrón", "orange": "naranja", "gray": "gris", "grey": "gris", "purple": "morado",
            "violet": "violeta",
        ],
        shapes: shapes(
            "barra,franja,barra oblicua,barra oblicua,cruz,X,rombo,rombo vacío,triángulo,triángulo invertido,triángulo vacío,punto,"
                + "círculo,rectángulo,rectángulo vacío,mitad inferior,mitad derecha,esquina,punta,flecha,flecha a la izquierda,"
                + "flecha a la derecha,concha,concha,senderista,casa,torre,horca,rueda,L,T invertida,cuenco,hexágono,escudo,"
                + "martillos,arco,mitad izquierda,mitad superior,disco,mitad"),
        figure: "{shape} {color}", on: "{mark} sobre {ground}")
}
