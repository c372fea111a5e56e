/// The named characters of HTML that stand in texts of recordings and of feeds (HTML 4.01, 24.2 and 24.4), without those of XML.
enum HTMLEntities {
    /// The names of the characters from U+00A0 to U+00FF, in order.
    private static let western = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
        para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
        Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
        Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
        igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
        thorn yuml
        """.split(separator: " ").map(String.init)
    /// Others.
    private static let others: [String: Unicode.Scalar] = [
        "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "ndash": "–", "mdash": "—", "lsquo": "‘",
        "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "bull": "•", "hellip": "…",
        "prime": "′",
        "euro": "€", "trade": "™", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "harr": "↔",
        "thinsp": "\u{2009}",
        "ensp": "\u{2002}", "emsp": "\u{2003}",
    ]

    /// The character of a name; `nil` for one that is not here.
    static func character(_ name: String) -> Unicode.Scalar? {
        if let other = others[name] { return other }
        guard let index = western.firstIndex(of: name) else { return nil }
        return Unicode.Scalar(UInt8(0xA0 + index))
    }
}
