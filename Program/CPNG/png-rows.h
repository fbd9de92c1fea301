// Reads a PNG row by row, with errors as results: libpng reports them by longjmp, which Swift cannot catch.

#ifndef LADING_PNG_ROWS_H
#define LADING_PNG_ROWS_H

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    png_structp png;
    png_infop info;
    const unsigned char *bytes;
    size_t count;
    size_t offset;
    png_uint_32 width;
    png_uint_32 height;
    int is_interlaced;
    /* The error message, once a function has returned 0. */
    char message[96];
    jmp_buf failure;
} lading_png_reader;

static void lading_png_fail(png_structp png, png_const_charp message) {
    lading_png_reader *reader = (lading_png_reader *)png_get_error_ptr(png);
    strncpy(reader->message, message, sizeof reader->message - 1);
    longjmp(reader->failure, 1);
}

static void lading_png_ignore(png_structp png, png_const_charp message) { (void)png; (void)message; }

static void lading_png_take(png_structp png, png_bytep target, size_t count) {
    lading_png_reader *reader = (lading_png_reader *)png_get_io_ptr(png);
    if (count > reader->count - reader->offset) png_error(png, "read beyond end of data");
    memcpy(target, reader->bytes + reader->offset, count);
    reader->offset += count;
}

static inline void lading_png_close(lading_png_reader *reader) {
    if (reader->png) png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

/* Begins to read bytes that stay where they are; NULL without memory. */
static inline lading_png_reader *lading_png_open(const void *bytes, size_t count) {
    lading_png_reader *reader = (lading_png_reader *)calloc(1, sizeof(lading_png_reader));
    if (!reader) return NULL;
    reader->bytes = (const unsigned char *)bytes;
    reader->count = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, lading_png_fail, lading_png_ignore);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (reader->info) return reader;
    lading_png_close(reader);
    return NULL;
}

/* Reads what comes before the pixels; the size is known then. */
static inline int lading_png_read_header(lading_png_reader *reader) {
    if (setjmp(reader->failure)) return 0;
    png_set_read_fn(reader->png, reader, lading_png_take);
    png_read_info(reader->png, reader->info);
    reader->width = png_get_image_width(reader->png, reader->info);
    reader->height = png_get_image_height(reader->png, reader->info);
    reader->is_interlaced = png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
    return 1;
}

/* Makes all rows red, green and blue of a byte each, over a ground of one grey. */
static inline int lading_png_start(lading_png_reader *reader, png_byte ground) {
    png_color_16 colour;
    if (setjmp(reader->failure)) return 0;
    memset(&colour, 0, sizeof colour);
    colour.red = colour.green = colour.blue = colour.gray = ground;
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    png_set_gray_to_rgb(reader->png);
    /* Not png_set_gamma, which ignores the gamma of the file: sRGB is only the default. */
    png_set_alpha_mode_fixed(reader->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    if (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA || png_get_valid(reader->png, reader->info, PNG_INFO_tRNS))
        png_set_background_fixed(reader->png, &colour, PNG_BACKGROUND_GAMMA_SCREEN, 0, PNG_FP_1);
    png_read_update_info(reader->png, reader->info);
    if (png_get_channels(reader->png, reader->info) != 3 || png_get_bit_depth(reader->png, reader->info) != 8)
        png_error(reader->png, "unexpected layout of rows");
    return 1;
}

/* Reads the next row; of an interlaced picture, the next row of its pass. */
static inline int lading_png_read_row(lading_png_reader *reader, unsigned char *row) {
    if (setjmp(reader->failure)) return 0;
    png_read_row(reader->png, row, NULL);
    return 1;
}

#endif
