import CCairo

/// A line of text laid out by Pango, released with its last reference.
final class CairoText {
    let layout: OpaquePointer

    init?(_ shape: TextShape, on canvas: OpaquePointer) {
        guard let layout = pango_cairo_create_layout(canvas) else { return nil }
        self.layout = layout
        // Hinting would round advances to whole pixels, so that the width of text would depend on the scale.
        if let context = pango_layout_get_context(layout), let options = cairo_font_options_create() {
            cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
            cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
            cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
            pango_cairo_context_set_font_options(context, options)
            cairo_font_options_destroy(options)
            pango_context_set_round_glyph_positions(context, 0)
            pango_layout_context_changed(layout)
        }
        let font = pango_font_description_new()
        pango_font_description_set_family(font, PictureSettings.fontFamilies.joined(separator: ","))
        pango_font_description_set_absolute_size(font, shape.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(
            font, shape.weight == .bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_single_paragraph_mode(layout, 1)
        // Pango ends text at NUL, and cairo stops drawing at noncharacters: the string of a shape has neither.
        pango_layout_set_text(layout, shape.string, -1)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Points across.
    var width: Double {
        var width: Int32 = 0
        pango_layout_get_size(layout, &width, nil)
        return Double(width) / Double(PANGO_SCALE)
    }

    /// Points from the top of the layout down to the baseline.
    var ascent: Double { Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE) }
}

extension TextShape {
    /// Width of the rim around the letters, in points.
    var haloWidth: Double { size * PictureSettings.haloWidth }
}
