/// Text as libedit holds it: an array of Unicode scalars.
typealias Scalars = [UInt32]

extension String {
    /// The scalars, as libedit counts them.
    var scalarValues: Scalars { unicodeScalars.map(\.value) }

    /// The scalars with the closing zero that C wants. A zero within the text would end it early and is left out.
    var terminatedScalars: Scalars { unicodeScalars.map(\.value).filter { $0 != 0 } + [0] }

    /// Text of scalars; what is no scalar becomes U+FFFD.
    init(scalars: some Sequence<UInt32>) {
        var view = String.UnicodeScalarView()
        for value in scalars { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        self = String(view)
    }
}
