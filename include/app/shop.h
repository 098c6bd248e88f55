/* SPDX-License-Identifier: Apache-2.0 */
/* What can be bought: gift-card merchants and the products of a search. Part of struct model. */
#ifndef APP_SHOP_H
#define APP_SHOP_H

#include <stdbool.h>
#include <stddef.h>
#include "app/edit.h"
#include "contract/reply.h"

enum shop_part { SHOP_MERCHANTS, SHOP_PRODUCTS };
#define SHOP_CART_MAX 5

struct shop {
    enum shop_part part;
    struct contract_merchant *merchants;
    size_t merchant_count;
    bool merchants_read, merchants_loading;
    char merchants_trouble[200];
    size_t merchant_selected, merchant_top;

    struct edit query;  /* of the search, 200 characters */
    bool searching;     /* keys go into the query */
    struct contract_product *products;
    size_t product_count;
    bool products_read, products_loading;
    char products_trouble[200];
    size_t product_selected;
    bool chosen[SHOP_CART_MAX]; /* marked to be bought together */
};

#endif
